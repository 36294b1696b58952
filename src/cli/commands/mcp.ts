/** gyre mcp */
import { ArchiveReader } from '../../archive/mod.ts';
import { systemClock } from '../../base/mod.ts';
import { AssistedSearcher } from '../../query/mod.ts';
import { archivedPages, createMcpHttp, listen, mcpServer, serveLines } from '../../serve/mod.ts';
import { readablePages } from '../archived-pages.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readData } from '../data-directory.ts';
import { openLocalSearching } from '../local-searching.ts';
import { print, stderrLog } from '../output.ts';
import { onInterrupt } from '../signals.ts';
import { VERSION } from '../version.ts';

const REFRESH_MS = 2000;

export const mcpCommand: Command = {
  name: 'mcp',
  positionals: '',
  summary:
    'Lets assistants search and read pages, by the Model Context Protocol over stdio, or over HTTP with --http',
  settings: ['host', 'port'],
  flags: [{ name: 'http', kind: 'boolean', help: 'listen at /mcp on --host and --port instead' }],
  run: mcp,
};

async function mcp({ config, flags }: Invocation): Promise<void> {
  const data = readData(config.data);
  const log = stderrLog(config);
  const clock = systemClock;
  const { cache: cacheBytes, answerCache: answerBytes } = config.serve;
  const plain = openLocalSearching(data, config, log, { cacheBytes, answerBytes });
  const searcher = new AssistedSearcher(plain, data.words, log);
  const archive = new ArchiveReader(data.archive);
  const server = mcpServer({
    searcher,
    pages: readablePages(archivedPages(archive), clock),
    siteRules: config.serve.siteRules,
    log,
    version: VERSION,
  });
  const timer = setInterval(() => searcher.refresh(), REFRESH_MS);
  if (flags.http) {
    const http = createMcpHttp(server, config.serve);
    print(`tools at ${await listen(http, config.serve)}/mcp`);
    await new Promise<void>((resolve) => onInterrupt(resolve));
    await http.close();
  } else {
    await serveLines(server, process.stdin, process.stdout);
  }
  clearInterval(timer);
  searcher.close();
  archive.close();
}
