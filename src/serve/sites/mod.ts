/**
 * Pages for the owners of crawled sites: what the crawler does, and how to stop it; and, if the operator allows it, the
 * submission of URLs and the management of a site by its owner.
 */

export { botRoutes } from './bot-page.ts';
export { indexNowRoutes } from './index-now.ts';
export { siteRoutes } from './sites-page.ts';
export type {
  CrawlerFacts,
  HostReport,
  Proof,
  SiteCoverage,
  SiteTools,
  Submission,
} from './site-tools.ts';
