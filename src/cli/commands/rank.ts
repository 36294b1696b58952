/** gyre rank */
import { acquireLock, UsageError } from '../../base/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { openData } from '../data-directory.ts';
import { rankOnce } from '../index-session.ts';
import { print, printJson, stderrLog } from '../output.ts';

export const rankCommand: Command = {
  name: 'rank',
  positionals: '',
  summary: 'Computes PageRank over the crawled links and hands it to the index',
  settings: [],
  flags: [
    { name: 'top', kind: 'string', help: 'print this many of the highest ranked pages (10)' },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: rank,
};

async function rank({ config, flags }: Invocation): Promise<void> {
  const top = flags.top === undefined ? 10 : Number(flags.top);
  if (!Number.isInteger(top) || top < 0)
    throw new UsageError('bad-option', '--top takes a whole number such as 50');
  const data = openData(config.data);
  const lock = acquireLock(data.root, 'index', 'gyre rank');
  try {
    const report = rankOnce(data, stderrLog(config));
    const topPages = report.topPages.slice(0, top);
    if (flags.json) return printJson({ ...report, topPages });
    print(`ranked ${report.nodeCount} pages by ${report.linkCount} links in ${report.iterations} iterations`);
    for (const { url, rank: value } of topPages) print(`${value.toExponential(3)}  ${url}`);
  } finally {
    lock.release();
  }
}
