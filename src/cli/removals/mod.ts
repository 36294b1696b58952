/**
 * The list of URLs that the operator removed. `gyre remove` changes it, and every process of the engine obeys it at
 * once. `cli/purging/` makes all data reflect it.
 */

export {
  changeRemovals,
  hasRule,
  isSettled,
  LiveRemovals,
  type RemovalList,
  type RemovalRule,
  readRemovals,
  removedBy,
  withoutRule,
  withRules,
} from './removal-list.ts';
export { describeTarget, parseRemovalTarget, type RemovalTarget, RemovedUrls } from './removed-urls.ts';
