/** build: from the journal and the link graph to segments. */
export { applyRanks } from './apply-ranks.ts';
export { journalBacklog } from './backlog.ts';
export { type BuildOptions, type BuildReport, buildIndex } from './build.ts';
export { buildWords, type WordsOptions, type WordsReport } from './build-words.ts';
