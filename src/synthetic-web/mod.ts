/**
 * synthetic-web: a seeded generator and server of webs of any size, with misbehaviour of known ground truth
 * and a log of every request. See README.md.
 */

export { type AskOptions, ask, type Reply, readLog } from './ask.ts';
export { type PolitenessLimits, politenessViolations, robotsViolations, type Violation } from './checkers.ts';
export {
  type ChangingTruth,
  jaccard,
  type Posting,
  type PostingSlot,
  postingAt,
  postingsBetween,
  TOPIC_TERMS,
  versionAt,
  versionWord,
} from './features/mod.ts';
export { type FeatureName, type Features, WEB_FEATURE_NAMES, type WebTruth } from './features.ts';
export type { Tuning, WebOptions } from './options.ts';
export { type PlainLink, type PlainPage, planWeb, type WebPlan } from './plan.ts';
export { type LogEntry, RequestLog } from './request-log.ts';
export { type SyntheticWeb, startWeb, type WebServerOptions } from './server.ts';
export { type Place, urlOf } from './site.ts';
