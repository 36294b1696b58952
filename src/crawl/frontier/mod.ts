/**
 * The frontier chooses which URL to fetch next, and when. Hosts wait in front queues on disk; a working set
 * is in memory, ordered by the earliest polite moment. Host groups, IP addresses and registrable domains
 * limit the request rate further. The frontier does not resolve names or read robots.txt.
 */

export { Domains } from './domains.ts';
export { ForeignRequests } from './foreign-requests.ts';
export { Frontier } from './frontier.ts';
export { type AddressTurns, type HostGroupOptions, HostGroups } from './host-groups.ts';
export { HostQueue, rulesOf } from './host-queue.ts';
export { Importance } from './importance.ts';
export {
  backoffMs,
  delayCauseOf,
  HostDelays,
  type PoliteDelayCause,
  type PolitenessOptions,
  parsingDelayMs,
  politeDelayMs,
} from './politeness.ts';
export { checkSeenLog, rebuildSeenLog, SeenLog, type SeenMark } from './seen-log.ts';
export { SeenSet } from './seen-set.ts';
