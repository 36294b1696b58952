/**
 * The crawl: chooses the next URL and a polite time to fetch it, decides which document each page belongs to, and
 * commits archive, journal and crawl state in one transaction, so that a crash never loses a committed result.
 */

export type { CrawlSnapshot } from './crawl-progress.ts';
export type { Crawler } from './crawler.ts';
export { describeProblem, describeUrlReason, describeWait } from './describe-wait.ts';
export { checkSketches, type Mirror, type NearDuplicateOptions } from './duplicates/mod.ts';
export { fetchText, postText } from './fetch-text.ts';
export { isLocalhost, LOOPBACK } from './fetch/mod.ts';
export {
  type AddressTurns,
  checkSeenLog,
  delayCauseOf,
  HostDelays,
  type PolitenessOptions,
  politeDelayMs,
  rebuildSeenLog,
} from './frontier/mod.ts';
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
export type { LinkExchange, LinkReceiver } from './link-exchange.ts';
export { type Links, linksTo, urlsOf } from './parsing/mod.ts';
export { createRobotsOverrides, parseRobots, robotsVerdict } from './robots/mod.ts';
export {
  addLinkingDomains,
  answersOf,
  applyRemovals,
  type CanonicalClaim,
  type CaptureMark,
  type SealedCaptures,
  type CaptureStore,
  type CaptureStoreOptions,
  type CommitMarks,
  type CommitReport,
  type ContentOwner,
  type CrawlBatch,
  type CrawlCounts,
  type CrawlState,
  type ChangeHint,
  captureOfRow,
  checkState,
  copyCrawlState,
  checkStoredUrl,
  checkUrlOfHost,
  clockSetBackMs,
  countLinkingDomains,
  countLinkingHosts,
  type Discovered,
  type DiscoveryLimits,
  DOMAINS_PAGE,
  type DomainRow,
  decodeUrlReason,
  decodeVerb,
  encodeUrlReason,
  type EncodedCaptures,
  encodeVerb,
  type FindingsBatch,
  findRemovedRows,
  firstFound,
  frontOf,
  groupDiscovered,
  type HostBudget,
  type HostFailure,
  HostList,
  type HostNote,
  type HostRow,
  hasCrawlState,
  hostOfRow,
  type IdentityVerdict,
  inOrderOfDiscovery,
  isIconWanted,
  type LastCapture,
  type ListedHost,
  fingerprintPages,
  type MovedPage,
  type NoteKind,
  type NumberedUrl,
  newDomain,
  type Outcome,
  openCaptureStore,
  openCrawlState,
  openMarks,
  openStateRows,
  PendingState,
  PROVEN_PAGES,
  type Problem,
  parseMarks,
  purgeRemovals,
  placeHost,
  problemOfRow,
  type ReadyUrl,
  type ReasonCount,
  type RobotsRow,
  reasonOfFault,
  recordOfVerdict,
  roomForHosts,
  type SiteIcon,
  STATE_TABLES,
  type StateRow,
  type StateRowSource,
  StateRowWriter,
  type StateTable,
  type SketchEntry,
  type StoredCount,
  storedHistory,
  storedHost,
  type UrlReason,
  type UrlResult,
  type VerdictKind,
  type Woken,
} from './state/mod.ts';
export { type LedgerDay, readPoliteness } from './politeness-ledger.ts';
export { parseRevisitPolicy, type RevisitOptions } from './schedule/mod.ts';
export {
  type ClassifierData,
  type LabelledText,
  readTopic,
  type TrainedTopic,
  TopicClassifier,
  textOfPage,
  topicNames,
  topicOfWords,
  trainTopic,
  writeTopic,
} from './topics/mod.ts';
export { operatorRule, pageBudget, readTraps } from './traps/mod.ts';
export { captureOfImport, type ImportedAnswer } from './visit/mod.ts';
export { openCrawler, PRODUCT_TOKEN } from './wire-crawl.ts';
