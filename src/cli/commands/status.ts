/** gyre status */
import { existsSync } from 'node:fs';
import { formatSize, systemClock, UsageError } from '../../base/mod.ts';
import { hasCrawlState, openCrawlState } from '../../crawl/mod.ts';
import { openSearcher } from '../../query/mod.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { type DataDirectory, openData, readSettings } from '../data-directory.ts';
import { print, printJson, stderrLog } from '../output.ts';

const PROBLEMS = 10;

export const statusCommand: Command = {
  name: 'status',
  positionals: '',
  summary: 'Tells what the data directory holds, also while a crawl is running',
  settings: [],
  flags: [{ name: 'json', kind: 'boolean', help: 'print it as one JSON object' }],
  run: status,
};

async function status({ config, flags }: Invocation): Promise<void> {
  if (!existsSync(config.data)) {
    throw new UsageError(
      'no-data',
      `there is no directory ${config.data}: crawl first, or name it with --data`,
    );
  }
  const data = openData(config.data);
  const { seeds } = readSettings(data.root);
  const crawl = await crawlStatus(data);
  const searcher = openSearcher(data.index, { log: stderrLog(config), clock: systemClock });
  const index = searcher.stats();
  searcher.close();
  const { problems, ...counts } = crawl;
  if (flags.json) return printJson({ data: config.data, seeds, crawl: counts, problems, index });
  print(`${config.data}: ${seeds.length} seeds`);
  const plain = [
    ['hosts', `${counts.hosts}, ${counts.setAside} of them set aside`],
    [
      'URLs',
      `${counts.done} fetched, ${counts.ready} queued, ${counts.refused} refused, ${counts.failed} failed`,
    ],
    ['index', `${index.docCount} documents, ${index.segmentCount} segments, ${formatSize(index.sizeBytes)}`],
  ] as const;
  print(table(plain).trimEnd());
  if (problems.length > 0)
    print(table(problems.map(({ reason, count }) => [`${count} ×`, reason])).trimEnd());
}

async function crawlStatus(data: DataDirectory) {
  if (!hasCrawlState(data.root)) {
    return { hosts: 0, setAside: 0, ready: 0, done: 0, refused: 0, failed: 0, problems: [] };
  }
  const state = openCrawlState(data.root, { readOnly: true });
  try {
    return { ...(await state.counts()), problems: await state.problems(PROBLEMS) };
  } finally {
    state.close();
  }
}
