/** Serves a few pages on loopback, and describes them as a web of real pages: `gyre.json` and `seeds.txt`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/**
 * Returns the directory that describes the web. `pages` has bodies by host and path, such as `a.docs.test/`; `seeds` are
 * such keys.
 */
export async function startTinyWeb(
  context: TestContext,
  pages: Readonly<Record<string, string | Buffer>>,
  seeds: readonly string[],
): Promise<string> {
  const server = createServer((request, response) => {
    const body = pages[`${request.headers.host?.replace(/:\d+$/, '')}${request.url}`];
    const type = request.url!.endsWith('.pdf') ? 'application/pdf' : 'text/html; charset=utf-8';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const directory = mkdtempSync(join(tmpdir(), 'gyre-tiny-web-'));
  context.after(() => {
    rmSync(directory, { recursive: true, force: true });
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const crawl = { delay: '0ms', delayFactor: 0, addressDelay: '0ms', scope: 'host' };
  const loopback = { resolve: { '*.docs.test': '127.0.0.1' }, allowAddresses: ['127.0.0.1'] };
  const config = { contact: 'mailto:operator@docs.test', crawl: { ...crawl, ...loopback } };
  writeFileSync(join(directory, 'gyre.json'), JSON.stringify(config));
  const urls = seeds.map((seed) => `http://${seed.replace('/', `:${port}/`)}\n`);
  writeFileSync(join(directory, 'seeds.txt'), urls.join(''));
  return directory;
}
