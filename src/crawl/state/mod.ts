/**
 * The state of a crawl: URLs, hosts, captures and marks. `CrawlState` is the interface, SQLite the embedded
 * implementation. A commit is one transaction; the files next to the database are valid up to the marks of
 * the last commit.
 */

export {
  type CaptureMark,
  type SealedCaptures,
  type CaptureStore,
  type CaptureStoreOptions,
  type EncodedCaptures,
  openCaptureStore,
} from './capture-store.ts';
export { checkClock, clockSetBackMs } from './clock-check.ts';
export { openMarks, parseMarks } from './commit-marks.ts';
export {
  type CanonicalClaim,
  type CrawlKnowledgeStore,
  type FindingsBatch,
  type HostNote,
  type IdentityVerdict,
  type NoteKind,
  type Outcome,
  recordOfVerdict,
  type VerdictKind,
} from './crawl-knowledge.ts';
export {
  type ChangeHint,
  type CommitMarks,
  type CommitReport,
  type ContentOwner,
  type CrawlBatch,
  type CrawlCounts,
  type CrawlState,
  type Discovered,
  type DomainRow,
  type FetchVerb,
  fingerprintPages,
  type HostBudget,
  type HostRow,
  type LastCapture,
  type MovedPage,
  type Problem,
  type ReadyUrl,
  type ReasonCount,
  type RobotsRow,
  SKETCHES_LOST,
  type SketchEntry,
  type UrlResult,
  type UrlState,
  type VisitHistory,
  type Woken,
} from './crawl-state.ts';
export {
  countLinkingHosts,
  type DiscoveryLimits,
  decodeVerb,
  encodeVerb,
  FRONTS,
  firstFound,
  frontOf,
  groupDiscovered,
  inOrderOfDiscovery,
  type NumberedUrl,
} from './discovery.ts';
export {
  addLinkingDomains,
  countLinkingDomains,
  DOMAINS_PAGE,
  newDomain,
  PROVEN_PAGES,
  placeHost,
  roomForHosts,
} from './domain-counts.ts';
export { PendingState } from './pending-state.ts';
export {
  decodeUrlReason,
  encodeUrlReason,
  type HostFailure,
  isSameSummary,
  isSameWaitReason,
  type ParkedReason,
  type ResponseSummary,
  reasonOfFault,
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
export {
  applyRemovals,
  checkState,
  copyCrawlState,
  findRemovedRows,
  HostList,
  hasCrawlState,
  type ListedHost,
  openCrawlState,
  openStateRows,
  purgeRemovals,
  StateRowWriter,
} from './sqlite/mod.ts';
export { STATE_TABLES, type StateRow, type StateRowSource, type StateTable } from './state-rows.ts';
export {
  answersOf,
  captureOfRow,
  storedHistory,
  checkStoredUrl,
  checkUrlOfHost,
  hostOfRow,
  problemOfRow,
  type StoredCount,
  storedHost,
} from './stored-rows.ts';
