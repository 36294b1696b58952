/** Tests with self-made certificates on real servers: each type of certificate error has its own failure reason. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { SecureContextOptions, TlsOptions } from 'node:tls';
import { fetchAll, fetcherFor, listening } from './fetcher.fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'gyre-tls-'));
after(() => rmSync(directory, { recursive: true }));
const path = (name: string): string => join(directory, name);
const read = (name: string): string => readFileSync(path(name), 'utf8');
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

function makeSelfSigned(name: string): SecureContextOptions {
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    '-keyout',
    path(`${name}.key`),
    '-out',
    path(`${name}.pem`),
    ...subject,
    '-days',
    '2',
  );
  return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
}

/** Makes a certificate for `name`, signed by the test authority `ca`. */
function makeSigned(file: string, name: string, days: number): SecureContextOptions {
  const [key, request, certificate] = [path(`${file}.key`), path(`${file}.csr`), path(`${file}.pem`)];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  openssl('req', ...NEW_KEY, '-keyout', key, '-out', request, ...subject);
  const authority = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', request, ...authority, '-days', String(days), '-out', certificate);
  return { key: read(`${file}.key`), cert: read(`${file}.pem`) };
}

makeSelfSigned('ca');
const good = makeSigned('good', 'a.test', 2);

async function serve(context: TestContext, options: TlsOptions): Promise<string> {
  const server = createServer(options, (_, response) => response.end('behind the lock'));
  return `https://a.test:${await listening(context, server)}/`;
}

test('a certificate of an authority in crawl.authorities is accepted', async (context) => {
  const outcome = await fetchAll(
    fetcherFor(context, { authorities: [read('ca.pem')] }),
    await serve(context, good),
  );
  assert.ok(outcome.kind === 'response', JSON.stringify(outcome));
  assert.equal(outcome.payload.toString(), 'behind the lock');
});

const troubles: [what: string, options: () => TlsOptions, reason: string][] = [
  ['expired', () => makeSigned('expired', 'a.test', -1), 'TLS: certificate expired'],
  ['of another name', () => makeSigned('other', 'b.test', 2), 'TLS: certificate for another name'],
  ['self-signed', () => makeSelfSigned('a.test'), 'TLS: self-signed certificate'],
  [
    'too old',
    () => ({ ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }),
    'TLS: no common protocol',
  ],
];

for (const [what, options, reason] of troubles) {
  test(`${what}: the failure has a reason and parks the host`, async (context) => {
    const fetcher = fetcherFor(context, { authorities: [read('ca.pem')] });
    const { elapsedMs, ...outcome } = await fetchAll(fetcher, await serve(context, options()));
    assert.deepEqual(outcome, { kind: 'failed', reason, retry: true, isLasting: true });
    assert.ok(elapsedMs < 30_000, 'it did not take a timeout to find out');
  });
}

test('an unknown certificate authority', async (context) => {
  const outcome = await fetchAll(fetcherFor(context), await serve(context, good));
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.reason, 'TLS: certificate of an unknown authority');
});

test('a server without TLS, and a silent server', async (context) => {
  const plain = createTcpServer((socket) =>
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').on('error', () => {}),
  );
  const port = await listening(context, plain);
  const spoken = await fetchAll(fetcherFor(context), `https://a.test:${port}/`);
  assert.ok(spoken.kind === 'failed');
  assert.equal(spoken.reason, 'TLS: no common protocol');
  const mute = createTcpServer((socket) => context.after(() => socket.destroy()));
  const impatient = fetcherFor(context, { timeLimitMs: 500 });
  const silent = await fetchAll(impatient, `https://a.test:${await listening(context, mute)}/`);
  assert.ok(silent.kind === 'failed');
  assert.match(silent.reason, /timeout$/);
});
