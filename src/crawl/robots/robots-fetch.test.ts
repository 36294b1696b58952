import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DAY_MS } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { fetcherFor, listening } from '../fetch/fetcher.fixture.ts';
import { fetchRobots, type RobotsAnswer } from './robots-fetch.ts';
import { parseRobots, ROBOTS_MAX_BYTES } from './robots-rules.ts';

const NOW = 1_000_000;
const FILE = 'User-agent: *\nDisallow: /a\n';

const table = readFileSync(new URL('../../../test/fixtures/robots-answers.tsv', import.meta.url), 'utf8');

for (const line of table.split('\n').filter((each) => each !== '' && !each.startsWith('# '))) {
  const [given, hops, expected, clause] = line.split('\t') as [string, string, string, string];
  test(`§ ${clause}: ${given}`, async (context) => {
    const { port, answer } = await ask(context, given, Number(hops));
    assert.equal(
      said(answer),
      expected.replace('PORT', String(port)).replace('at /', `at http://a.test:${port}/`),
    );
  });
}

test('§ 2.4: known rules are used for 24 hours', async (context) => {
  const { answer } = await ask(context, '200 User-agent: *\\nDisallow: /a', 0);
  assert.ok(answer.kind === 'known');
  assert.equal(answer.robots.expiresAt, NOW + DAY_MS);
  assert.equal(parseRobots(answer.robots.body, 'gyre').rules.size, 1);
});

test('§ 2.5: 500 KiB of an endless file are kept, and the connection is closed', async (context) => {
  const { answer } = await ask(context, '200 endless', 0);
  assert.ok(answer.kind === 'known');
  assert.equal(answer.robots.body.length, ROBOTS_MAX_BYTES);
});

async function ask(context: TestContext, given: string, hops: number) {
  const server = createServer((_, response) => reply(response, given.replace('PORT', String(port))));
  const port = await listening(context, server);
  const url = canonicalize(`http://a.test:${port}/robots.txt`)!;
  const limits = { timeLimitMs: given === 'silence' ? 300 : 60_000, maxBodyBytes: 10_000_000 };
  const answer = await fetchRobots(fetcherFor(context, limits), { url, hops }, { now: () => NOW });
  return { port, answer };
}

function said(answer: RobotsAnswer): string {
  if (answer.kind === 'moved') return `look at ${answer.next.url}`;
  if (answer.kind === 'unknown')
    return answer.retryAfterMs === null ? 'unknown' : `unknown, again in ${answer.retryAfterMs / 1000} s`;
  assert.equal(answer.robots.expiresAt, NOW + DAY_MS);
  return answer.robots.kind === 'rules' ? 'rules for 24 h' : 'allow all for 24 h';
}

/**
 * Sends a response described by `given`, a status followed by the redirect target, the body (2xx) or a header. For
 * `silence` nothing is sent.
 */
function reply(response: ServerResponse, given: string): void {
  const [first = '', rest = ''] = given.split(/ (.*)/s, 2);
  const status = Number(first);
  if (first === 'reset') response.socket!.destroy();
  else if (status < 300) sendBody(response, status, rest);
  else if (status >= 300) sendHeader(response, status, rest);
}

function sendHeader(response: ServerResponse, status: number, rest: string): void {
  const [name, value] = status < 400 ? ['location', rest] : rest.split('=', 2);
  response.writeHead(status, name && value ? { [name]: value } : {}).end();
}

function sendBody(response: ServerResponse, status: number, body: string): void {
  const coded: Record<string, Uint8Array> = {
    gzip: gzipSync(FILE),
    'torn gzip': gzipSync(FILE).subarray(0, -9),
    'false gzip': Buffer.from(FILE),
  };
  if (body === 'endless') sendWithoutEnd(response);
  else if (coded[body]) response.writeHead(status, { 'content-encoding': 'gzip' }).end(coded[body]);
  else response.writeHead(status).end(body.replace('(empty)', '').replaceAll('\\n', '\n'));
}

function sendWithoutEnd(response: ServerResponse): void {
  const line = Buffer.from('# and so on\n'.repeat(1000));
  const more = () => {
    while (!response.destroyed && response.write(line));
  };
  response.on('drain', more);
  more();
}
