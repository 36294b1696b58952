/**
 * The index thread of `gyre up`. It indexes each finished journal file as it appears. Merges and rankings run
 * concurrently in threads of their own (ranking-beside.ts); this thread applies their results. It also applies the
 * vectors that the meaning thread computed.
 */

import { type Log, messageOf, sleep } from '../../base/mod.ts';
import { hasVectorBatches, type Indexer } from '../../build/mod.ts';
import { advance, type JournalPosition, journalFiles } from '../../journal/mod.ts';
import { type DataDirectory, openData } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import { applyLastRanks, openIndexer, withLinks } from '../sessions/index-session.ts';
import type { Config } from '../settings/mod.ts';
import { RankingBeside, rankInThread } from './ranking-beside.ts';
import { runThread } from './thread.ts';

const POLL_MS = 500;

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
  const ranking = new RankingBeside(() => rankInThread({ config }, signal), log, Date.now);
  const state = { docs: 0, changes: 0, changedAt: Date.now() };
  let seen: JournalPosition = {};
  while (!signal.aborted) {
    const added = journalFiles(data.journal, seen);
    if (added.length > 0) {
      await withLinks(data, config, log, (links) => indexer.catchUp(links));
      seen = added.reduce(advance, seen);
      state.docs = indexer.report.docCount;
      state.changes++;
      state.changedAt = Date.now();
    }
    if (ranking.takeFinished()) applyOrExplain(data, indexer, log);
    if (!signal.aborted) ranking.offer(state);
    if (hasVectorBatches(data.meaning)) indexer.applyVectors(data.meaning);
    report({ docs: state.docs, journal: seen, ranked: ranking.covers(state.changes) });
    await sleep(POLL_MS, signal);
  }
  await ranking.end();
  await indexer.close();
});

/** Applies the result of a ranking to the index. If this fails, the old ranks stay in use and searching continues. */
function applyOrExplain(data: DataDirectory, indexer: Indexer, log: Log): void {
  try {
    applyLastRanks(data, (links) => indexer.applyRanks(links, data.words));
  } catch (error) {
    log.error('ranking not applied', { reason: messageOf(error) });
  }
}
