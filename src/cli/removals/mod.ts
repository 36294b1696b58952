/**
 * The removals of the operator: the list of removed URLs, and the audit log. `gyre remove` changes the list, and
 * every process of the engine obeys it at once. `cli/purging/` makes all data reflect it.
 */

export { appendAudit, cliUser } from './audit-log.ts';
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
