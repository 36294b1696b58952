/** Serves health checks, metrics and commands for the crawl, for operators and monitoring. */

export {
  type AdminTools,
  adminRoutes,
  type DirectoryTools,
  type InspectionReport,
  type InspectRequest,
  type ListedRemovals,
  orProblem,
  type PolitenessDay,
  type RemovalPreview,
  type RemovalRequest,
  type ReportRow,
  type ReportSection,
  type StoredRecord,
  type TakenUrl,
} from './admin-routes.ts';
export { archiveRoutes, cdxRoutes, sendFile } from './archive-routes.ts';
export { type ClusterTools, clusterRoutes } from './cluster-routes.ts';
export { type CrawlAction, crawlRoutes } from './crawl-routes.ts';
export { healthRoutes } from './health.ts';
export { urlsRoute } from './urls-route.ts';
export { METRICS_FORMAT, metricsRoutes, processGauges } from './metrics-route.ts';
