/**
 * The synthetic web: a seeded generator and server of any size, with misbehaviour of known ground
 * truth and a request log that proves politeness. See README.md.
 */
export { type AskOptions, ask, type Reply, readLog } from './ask.ts';
export { type PolitenessLimits, politenessViolations, robotsViolations, type Violation } from './checkers.ts';
export { type ChangingTruth, versionAt, versionWord } from './features/changing.ts';
export { jaccard } from './features/duplicates.ts';
export { TOPIC_TERMS } from './features/topics.ts';
export { FEATURE_NAMES, type FeatureName, type Features, type WebTruth } from './features.ts';
export type { Tuning, WebOptions } from './options.ts';
export { type PlainLink, type PlainPage, planWeb, type WebPlan } from './plan.ts';
export { type LogEntry, RequestLog } from './request-log.ts';
export { type ServeOptions, type SyntheticWeb, startWeb } from './server.ts';
export { type Place, urlOf } from './site.ts';
