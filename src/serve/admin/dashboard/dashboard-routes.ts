/** Registers the pages of the dashboard and its stream of figures. */
import type { FastifyInstance } from 'fastify';
import type { RequestMetrics } from '../../http/mod.ts';
import type { CrawlControl, ServerContext } from '../../server-context.ts';
import { type Sessions, tokenIn } from '../../sign-in/mod.ts';
import type { AdminDesk } from '../desk.ts';
import type { Dashboard } from './dashboard.ts';
import { hostRoutes } from './host-page.ts';
import { hostsRoutes } from './hosts-page.ts';
import { LiveStream, liveRoutes } from './live-stream.ts';
import { overviewRoutes } from './overview-page.ts';
import { rulesRoutes } from './rules-page.ts';
import { Sampler } from './sampler.ts';
import { seedsRoutes } from './seeds-page.ts';
import { settingsRoutes } from './settings-page.ts';

interface DashboardRoutesOptions {
  desk: AdminDesk;
  dashboard: Dashboard;
  control: CrawlControl | undefined;
  sessions: Sessions;
  requests: RequestMetrics;
}

export function dashboardRoutes(
  server: FastifyInstance,
  site: ServerContext,
  options: DashboardRoutesOptions,
): void {
  const { dashboard, sessions, requests } = options;
  const sampler = new Sampler({ site, dashboard, requests, clock: site.clock });
  const isValid = (token: string) => sessions.find(token, false) !== null;
  overviewRoutes(server, site, { ...options, sampler });
  liveRoutes(server, new LiveStream({ sampler, dashboard, isValid }), tokenIn);
  hostsRoutes(server, site, dashboard.hosts);
  hostRoutes(server, site, dashboard.hosts);
  seedsRoutes(server, site, dashboard.crawl);
  rulesRoutes(server, site, dashboard.crawl);
  settingsRoutes(server, site, dashboard.crawl);
}
