/**
 * The crawl state in one SQLite file. A commit of a few thousand rows takes some milliseconds. The file has one
 * writer; other processes can read it at the same time.
 */

export { checkState } from './check-state.ts';
export { copyCrawlState } from './copy-state.ts';
export {
  HostList,
  type ListedHost,
} from './sqlite-host-list.ts';
export {
  applyRemovals,
  findRemovedRows,
  purgeRemovals,
} from './sqlite-removals.ts';
export { openStateRows, StateRowWriter } from './sqlite-rows.ts';
export { hasCrawlState, openCrawlState } from './sqlite-state.ts';
