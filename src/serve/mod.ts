/**
 * serve: the engine over HTTP: pages, JSON API, feeds, metrics and MCP. Pages are rendered on the server and
 * work without scripts; `src/web/` has the style sheet and the optional scripts.
 */

export type { Accounts, AdminRole } from './accounts.ts';
export type {
  AdminDesk,
  AuditLine,
  CrawlDesk,
  CrawledHost,
  Dashboard,
  DeskEvaluation,
  DeskProfile,
  DeskProfiles,
  DeskResult,
  HostDesk,
  HostListing,
  HostSearch,
  RelevanceDesk,
  RuleChange,
  RuleTest,
  ShownSetting,
  StoredFacts,
} from './admin/mod.ts';
export type { PageStanding } from './api/mod.ts';
export { type Brand, readLogo } from './brand.ts';
export { type ArchivedPage, ArchivePool, type PageArchive } from './cached/mod.ts';
export type { ChangeBatch, ChangeEvent, ChangeFeed, ChangeRequest } from './changes/mod.ts';
export { isLoopbackName } from './guards/mod.ts';
export { type Gauge, renderGauges } from './http/mod.ts';
export { createMcpHttp, mcpServer, serveLines } from './mcp/mod.ts';
export { noteText } from './messages/mod.ts';
export {
  type AdminTools,
  type ClusterTools,
  type DirectoryTools,
  type InspectionReport,
  type InspectRequest,
  type ListedRemovals,
  METRICS_FORMAT,
  processGauges,
  type RemovalPreview,
  type RemovalRequest,
  type ReportRow,
  type ReportSection,
  type StoredRecord,
  type TakenUrl,
} from './operations/mod.ts';
export { createServer, listen } from './server.ts';
export type { CrawlControl, ServeStatus } from './server-context.ts';
export type { CrawlerFacts, HostReport, Proof, SiteCoverage, SiteTools, Submission } from './sites/mod.ts';
export {
  type FeedPage,
  type ListedQuery,
  type QueryForm,
  renderDigest,
  type StandingFeed,
  type StandingTools,
} from './standing/mod.ts';
