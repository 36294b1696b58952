/** Serves health checks, metrics and commands for the crawl, for operators and monitoring. */

export { type AdminTools, adminRoutes, type InspectRequest, type RemovalRequest } from './admin-routes.ts';
export { type ClusterTools, clusterRoutes } from './cluster-routes.ts';
export { type CrawlAction, crawlRoutes } from './crawl-routes.ts';
export { healthRoutes } from './health.ts';
export { metricsRoutes } from './metrics-route.ts';
