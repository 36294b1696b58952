/** build: from the journal and the link graph to segments. */
export { applyRanks, type LinkTables } from './apply-ranks.ts';
export { journalBacklog } from './backlog.ts';
export { type BuildOptions, buildIndex } from './build.ts';
export { buildWords, type WordsOptions, type WordsReport } from './build-words.ts';
export { type BuildReport, FROM_ARCHIVE, Indexer, type IndexerOptions } from './indexer.ts';
export { type MergeRunner, mergeInThread } from './merge-runner.ts';
export { quotableOf } from './quotable.ts';
export { type RepairOptions, type RepairReport, repairIndex } from './repair.ts';
