/**
 * The indexing of `gyre up`: takes up each finished journal file as it appears, and ranks again when
 * the graph has grown by a fifth, or when the journal has been quiet for a while; then words are gathered too.
 * Merges run beside it.
 */
import { journalFiles } from '../../archive/mod.ts';
import { type Log, messageOf, sleep } from '../../base/mod.ts';
import type { Indexer } from '../../build/mod.ts';
import type { Config } from '../config.ts';
import { type DataDirectory, openData } from '../data-directory.ts';
import { openIndexer, rankOnce, withLinks, wordsOnce } from '../index-session.ts';
import { stderrLog } from '../output.ts';
import { runThread } from './thread.ts';
import { WordsGathering } from './words-gathering.ts';

const POLL_MS = 500;
const QUIET_MS = 2_000;
const GROWTH = 1.2;

export interface IndexThreadInput {
  config: Config;
}

/** How far the index has come: up to which journal file, and whether those are all in the ranks. */
export interface IndexReport {
  docs: number;
  journal: string;
  ranked: boolean;
}

await runThread<IndexThreadInput, IndexReport>(async ({ config }, report, signal) => {
  const data = openData(config.data);
  const log = stderrLog(config);
  const indexer = openIndexer(data, config, log, signal);
  let docs = 0;
  let rankedDocs = 0;
  let ranked = false;
  const words = new WordsGathering(() => wordsOnce(data, log, signal), Date.now);
  let isInWords = true;
  let changedAt = Date.now();
  let seen = '';
  while (!signal.aborted) {
    const newest = journalFiles(data.journal).at(-1) ?? '';
    if (newest !== seen) {
      await withLinks(data.graph, log, (links) => indexer.catchUp(links));
      docs = indexer.report.docCount;
      seen = newest;
      ranked = false;
      changedAt = Date.now();
    }
    const due = docs > rankedDocs * GROWTH || Date.now() - changedAt > QUIET_MS;
    if (!ranked && docs > 0 && due && !signal.aborted) {
      rankOrExplain(data, indexer, log);
      isInWords = false;
      rankedDocs = docs;
      ranked = true;
    }
    if (!isInWords && !signal.aborted) isInWords = words.offer(docs);
    report({ docs, journal: seen, ranked });
    await sleep(POLL_MS, signal);
  }
  await words.end();
  await indexer.close();
});

/** Without new ranks the old ones stay: no reason to end the search. */
function rankOrExplain(data: DataDirectory, indexer: Indexer, log: Log): void {
  try {
    rankOnce(data, log, {}, (links) => indexer.applyRanks(links));
  } catch (error) {
    log.error('pages not ranked', { reason: messageOf(error) });
  }
}
