/** The admin pages: what the engine does now, and the forms that change it. They work without scripts. */

export { addAdminPages } from './admin-pages.ts';
export type { AdminDesk, AuditLine } from './desk.ts';
export type {
  DeskEvaluation,
  DeskProfile,
  DeskProfiles,
  DeskResult,
  RelevanceDesk,
} from './relevance/mod.ts';
export type {
  CrawlDesk,
  CrawledHost,
  Dashboard,
  HostDesk,
  HostListing,
  HostSearch,
  RuleChange,
  RuleTest,
  ShownSetting,
  StoredFacts,
} from './dashboard/mod.ts';
