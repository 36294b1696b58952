/**
 * The index thread of `gyre up`. It indexes each finished journal file as it appears. It computes ranks again when
 * the graph has grown by a fifth, or when the journal has not changed for a while. After ranking it also builds the
 * words files, if that is due. Merges run concurrently. It also applies the vectors that the meaning thread
 * computed.
 */

import { type Log, messageOf, sleep } from '../../base/mod.ts';
import { hasVectorBatches, type Indexer } from '../../build/mod.ts';
import { advance, type JournalPosition, journalFiles } from '../../journal/mod.ts';
import { type DataDirectory, openData } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import { openIndexer, rankOnce, withLinks, wordsOnce } from '../sessions/index-session.ts';
import type { Config } from '../settings/mod.ts';
import { runThread } from './thread.ts';
import { WordsGathering } from './words-gathering.ts';

const POLL_MS = 500;
const QUIET_MS = 2_000;
const GROWTH = 1.2;

export interface IndexThreadInput {
  config: Config;
}

/**
 * The progress of the index: the journal position up to which records are indexed, and whether all of these records
 * are ranked.
 */
export interface IndexReport {
  docs: number;
  journal: JournalPosition;
  ranked: boolean;
}

runThread<IndexThreadInput, IndexReport>(async ({ config }, report, signal) => {
  const data = openData(config.data);
  const log = stderrLog(config);
  const indexer = openIndexer(data, config, log, signal);
  let docs = 0;
  let rankedDocs = 0;
  let ranked = false;
  const words = new WordsGathering(async () => {
    await wordsOnce(data, log, signal);
  }, Date.now);
  let isInWords = true;
  let changedAt = Date.now();
  let seen: JournalPosition = {};
  while (!signal.aborted) {
    const added = journalFiles(data.journal, seen);
    if (added.length > 0) {
      await withLinks(data.graph, log, (links) => indexer.catchUp(links));
      docs = indexer.report.docCount;
      seen = added.reduce(advance, seen);
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
    if (hasVectorBatches(data.meaning)) indexer.applyVectors(data.meaning);
    if (!isInWords && !signal.aborted) isInWords = words.offer(docs);
    report({ docs, journal: seen, ranked });
    await sleep(POLL_MS, signal);
  }
  await words.end();
  await indexer.close();
});

/** If ranking fails, the old ranks stay in use and the search continues. */
function rankOrExplain(data: DataDirectory, indexer: Indexer, log: Log): void {
  try {
    rankOnce(data, log, {}, (links) => indexer.applyRanks(links));
  } catch (error) {
    log.error('ranking failed', { reason: messageOf(error) });
  }
}
