/** Tests that `gyre status`, run from another terminal, shows why each waiting host waits. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

async function listening(context: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const answer: RequestListener = (request, response) => {
  const [host = ''] = (request.headers.host ?? '').split(':');
  const isRobots = request.url === '/robots.txt';
  if (host === 'busy.test' && !isRobots) return response.writeHead(429, { 'retry-after': '60' }).end();
  if (host === 'broken.test' && isRobots) return response.writeHead(500).end();
  const links = Array.from({ length: 50 }, (_, number) => `<a href="/${host}-${number}">${number}</a>`);
  if (isRobots) return response.writeHead(404).end();
  return response.setHeader('content-type', 'text/html').end(links.join(' '));
};

function selfSigned(directory: string): { key: string; cert: string } {
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  execFileSync('openssl', ['req', '-x509', ...newKey, '-out', cert, '-subj', '/CN=locked.test'], {
    stdio: 'pipe',
  });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

test('gyre status --hosts shows why each host waits', async (context) => {
  const directory = temporaryDirectory(context);
  const port = await listening(context, createServer(answer));
  const locked = await listening(context, createTlsServer(selfSigned(directory), answer));
  const config = writeConfig(directory, { delay: '8s', groups: { family: ['one.test', 'two.test'] } });
  const names = ['busy.test', 'broken.test', 'plain.test', 'one.test', 'two.test'];
  const seeds = [...names.map((name) => `http://${name}:${port}/`), `https://locked.test:${locked}/`];
  const options = ['--data', join(directory, 'data'), '--config', config];
  const crawl = new Gyre(['crawl', ...options, ...seeds]);
  const expected = [
    /busy\.test:\d+: waits \d+ s: Retry-After of HTTP 429/,
    // After several failures in a row, the host waits longer.
    /broken\.test:\d+: (?:waits|parked for) \d+ s: robots\.txt: HTTP 500/,
    /plain\.test:\d+: its delay of 8000 ms ends in \d s/,
    /(?:one|two)\.test:\d+: waits \d+ s: host group: family (?:had a request a moment ago|has a request in flight)/,
    /locked\.test:\d+: parked for \d+ s: robots\.txt: TLS: self-signed certificate/,
  ];
  let status = '';
  const missing = () => expected.filter((reason) => !reason.test(status));
  for (let look = 0; look < 60 && missing().length > 0; look++) {
    await sleep(250);
    status += (await gyre(['status', ...options, '--hosts'])).stdout;
  }
  assert.deepEqual(missing(), [], status);
  await gyre(['stop', ...options]);
  assert.equal((await crawl.ended()).code, 0);
});
