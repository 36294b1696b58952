/**
 * The worker threads of `gyre up` and `gyre serve`: crawl, index and search. A thread receives its settings
 * as data and opens its own files.
 */

export { adminTools } from './admin-work.ts';
export { CrawlStage, spaceFor } from './crawl-stage.ts';
export type { IndexReport, IndexThreadInput } from './index-thread.ts';
export { type MeaningSources, type MeaningStage, startMeaning } from './meaning-stage.ts';
export type { EmbeddedIndex, MeaningReport, MeaningThreadInput } from './meaning-thread.ts';
export type { RemovalThreadInput } from './removal-thread.ts';
export { SearchPool } from './search-pool.ts';
export { loadServedModel, loadSharedModel } from './shared-model.ts';
export { ShownPages } from './shown-pages.ts';
export { restartWithSpace, startThread, type Thread } from './thread.ts';
export { UpProgress } from './up-progress.ts';
