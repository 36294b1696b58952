/** The command `gyre mcp`, which offers search to assistants. */

import { systemClock } from '../../base/mod.ts';
import { AssistedSearcher } from '../../query/mod.ts';
import { ArchivePool, createMcpHttp, listen, mcpServer, serveLines } from '../../serve/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readData } from '../data-directory.ts';
import { onInterrupt } from '../interrupts.ts';
import { print, stderrLog } from '../output.ts';
import { LiveRemovals } from '../removals/mod.ts';
import { isLocalOnly, openSearching, readablePages, withoutRemoved } from '../serving/mod.ts';
import { VERSION } from '../version.ts';

const REFRESH_MS = 2000;

export const mcpCommand: Command = {
  name: 'mcp',
  positionals: '',
  summary:
    'Serves the tools search and read_page over the Model Context Protocol, on stdio or with --http over HTTP',
  examples: ['gyre mcp --data data/demo'],
  settings: ['host', 'port'],
  flags: [
    { name: 'http', kind: 'boolean', help: 'serve HTTP at /mcp on --host and --port instead of stdio' },
  ],
  run: mcp,
};

async function mcp({ config, flags }: Invocation): Promise<void> {
  const data = readData(config.data);
  const log = stderrLog(config);
  const clock = systemClock;
  const { inner, ended } = await openSearching(data, config, log);
  const searcher = new AssistedSearcher(inner, data, log);
  const pool = new ArchivePool({ directory: data.archive, log, clock });
  const removals = new LiveRemovals(data.root);
  const archive = withoutRemoved(pool, (url) => removals.urls.matches(url));
  const server = mcpServer({
    searcher,
    pages: readablePages(archive, clock),
    siteRules: config.serve.siteRules,
    log,
    version: VERSION,
  });
  const timer = setInterval(() => searcher.refresh(), REFRESH_MS);
  if (flags.http) {
    const { serve } = config;
    const reach = { publicUrl: serve.publicUrl, isLocal: isLocalOnly(serve) };
    const http = createMcpHttp(server, { ...reach, limits: serve, log, clock });
    print(`tools at ${await listen(http, config.serve)}/mcp`);
    await new Promise<void>((resolve) => onInterrupt(resolve));
    await http.close();
  } else {
    await serveLines(server, process.stdin, process.stdout);
  }
  clearInterval(timer);
  searcher.close();
  await pool.close();
  await ended();
}
