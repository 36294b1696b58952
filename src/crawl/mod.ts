/**
 * The crawl: chooses the next URL and a polite time to fetch it, decides which document each page belongs to, and
 * commits archive, journal and crawl state in one transaction, so that a crash never loses a committed result.
 */

export type { CrawlSnapshot } from './crawl-progress.ts';
export type { Crawler } from './crawler.ts';
export { describeProblem, describeUrlReason, describeWait } from './describe-wait.ts';
export { checkSketches, type Mirror, type NearDuplicateOptions } from './duplicates/mod.ts';
export { isLocalhost, LOOPBACK } from './fetch/mod.ts';
export { checkSeenLog, politeDelayMs, rebuildSeenLog } from './frontier/mod.ts';
export {
  documentOf,
  duplicateOf,
  ImportSketches,
  isPreferredUrl,
  otherNames,
  rebuildSketches,
  resolveIdentity,
  SKETCHES_DIRECTORY,
} from './identity/mod.ts';
export { createRobotsOverrides, parseRobots, robotsVerdict } from './robots/mod.ts';
export {
  type CaptureStore,
  type CaptureStoreOptions,
  type CommitMarks,
  type CrawlState,
  checkState,
  clockSetBackMs,
  hasCrawlState,
  type IdentityVerdict,
  openCaptureStore,
  openCrawlState,
  openMarks,
  PendingState,
  type ReasonCount,
  recordOfVerdict,
  type UrlReason,
} from './state/mod.ts';
export { operatorRule, readTraps } from './traps/mod.ts';
export { captureOfImport, type ImportedAnswer, type RevisitOptions } from './visit/mod.ts';
export { openCrawler, PRODUCT_TOKEN } from './wire-crawl.ts';
