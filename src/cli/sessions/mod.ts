/**
 * Code shared by several commands: opens a crawl, an index, a server or an import over a data directory, and
 * closes them in the right order.
 */

export { readablePages } from './archived-pages.ts';
export { type CrawlCommand, readWish, watchCommands, writeWish } from './control.ts';
export { controlByFile, controlOwn, type LocalCrawl } from './crawl-control.ts';
export { type CrawlRates, RateMeter } from './crawl-rates.ts';
export {
  checkCrawl,
  contactNeeded,
  forgetUnreachable,
  nearDuplicatesOf,
  needsContact,
  openCrawl,
  readLimitOf,
  readSeeds,
  withSeeds,
} from './crawl-session.ts';
export { doctorLines, examineData } from './doctor.ts';
export { journalFromArchive } from './from-archive.ts';
export { GraphLookup } from './graph-lookup.ts';
export {
  buildOnce,
  openIndexer,
  rankOnce,
  repairOnce,
  tellStaleWords,
  withLinks,
  wordsOnce,
} from './index-session.ts';
export { JUDGED_FLAGS, judgedIdOf, openForEvaluation, readJudged, runTopics } from './judged-run.ts';
export { openLocalSearching } from './local-searching.ts';
export { isLocalOnly, openSearching, type Serving, startServing } from './serve-session.ts';
export { UpProgress } from './up-progress.ts';
