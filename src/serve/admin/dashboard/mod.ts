/**
 * The dashboard: live figures of crawl, index, searches and machine, the table of hosts, and the forms that change seeds,
 * URL rules and settings while the crawl runs.
 */

export type {
  CrawlDesk,
  Dashboard,
  HostDesk,
  CrawledHost,
  HostListing,
  HostSearch,
  RuleChange,
  RuleTest,
  ShownSetting,
  StoredFacts,
} from './dashboard.ts';
export { dashboardRoutes } from './dashboard-routes.ts';
