/**
 * The state of a crawl: URLs, hosts, captures and marks. `CrawlState` is the interface, SQLite the embedded
 * implementation. A commit is one transaction; the files next to the database are valid up to the marks of
 * the last commit.
 */

export { type CaptureStore, type CaptureStoreOptions, openCaptureStore } from './capture-store.ts';
export { checkState } from './check-state.ts';
export { checkClock, clockSetBackMs } from './clock-check.ts';
export { openMarks } from './commit-marks.ts';
export {
  type CanonicalClaim,
  type CrawlKnowledgeStore,
  type IdentityVerdict,
  type Outcome,
  recordOfVerdict,
} from './crawl-knowledge.ts';
export {
  type CommitMarks,
  type CommitReport,
  type ContentOwner,
  type CrawlState,
  type Discovered,
  type DomainRow,
  type FetchVerb,
  fingerprintPages,
  type HostBudget,
  type HostRow,
  type LastCapture,
  type Problem,
  type ReadyUrl,
  type ReasonCount,
  type RobotsRow,
  SKETCHES_LOST,
  type SketchEntry,
  type UrlResult,
  type UrlState,
} from './crawl-state.ts';
export { PendingState } from './pending-state.ts';
export {
  type HostFailure,
  isSameSummary,
  isSameWaitReason,
  type ParkedReason,
  type ResponseSummary,
  type UrlReason,
  type WaitReason,
} from './reasons.ts';
export {
  askingFor,
  forgottenIcon,
  type IconAnswer,
  iconAfterAnswer,
  iconAfterPage,
  iconConditions,
  isIconWanted,
  type SiteIcon,
  withoutNext,
} from './site-icon.ts';
export { FRONTS } from './sqlite-hosts.ts';
export { hasCrawlState, openCrawlState } from './sqlite-state.ts';
