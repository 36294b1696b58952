/** Registers the admin pages and the guards in front of them. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { Guards, PrivacyOptions } from '../guards/mod.ts';
import { acceptOnlyForms, type RequestMetrics } from '../http/mod.ts';
import type { AdminTools, ClusterTools, DirectoryTools } from '../operations/mod.ts';
import type { CrawlControl, ServerContext } from '../server-context.ts';
import { guardAdminPages, requireSession, Sessions, signInRoutes, signOutRoute } from '../sign-in/mod.ts';
import type { SiteTools } from '../sites/mod.ts';
import { accessRoutes } from './access-page.ts';
import { auditRoutes } from './audit-page.ts';
import { clusterOverviewRoutes } from './cluster-page.ts';
import { type Dashboard, dashboardRoutes } from './dashboard/mod.ts';
import type { AdminDesk } from './desk.ts';
import { inspectRoutes } from './inspect-page.ts';
import { politenessRoutes } from './politeness-page.ts';
import { recordRoutes } from './record-pages.ts';
import { type RelevanceDesk, relevanceRoutes } from './relevance/mod.ts';
import { removalRoutes } from './removal-page.ts';
import { standingRoutes } from './standing-page.ts';

interface AdminPagesOptions extends PrivacyOptions {
  accounts: Accounts;
  desk: AdminDesk;
  /** The dashboard of an engine on one machine; a gateway of a cluster has none. */
  dashboard?: Dashboard;
  /** The judged queries and ranking profiles of a data directory. */
  relevance?: RelevanceDesk;
  requests: RequestMetrics;
  control: CrawlControl | undefined;
  tools: AdminTools | undefined;
  /** The work that needs a data directory; a gateway of a cluster has none. */
  directoryTools: DirectoryTools | undefined;
  /** The cluster of a gateway, which the overview then shows. */
  clusterTools: ClusterTools | undefined;
  sites: SiteTools | undefined;
  guards: Guards;
}

export function addAdminPages(
  server: FastifyInstance,
  site: ServerContext,
  options: AdminPagesOptions,
): void {
  const { accounts, desk, dashboard, relevance, clusterTools, tools, directoryTools, sites, guards } =
    options;
  const sessions = new Sessions(accounts, site.clock);
  const audit = desk.audit.bind(desk);
  const signIn = { ...options, sessions, tries: guards.signIns, audit };
  const signedIn: FastifyPluginAsync = async (scope) => {
    requireSession(scope, sessions);
    signOutRoute(scope, signIn);
    if (clusterTools) clusterOverviewRoutes(scope, site, clusterTools, desk);
    if (dashboard) dashboardRoutes(scope, site, { ...options, dashboard, sessions });
    if (tools) {
      inspectRoutes(scope, site, tools, directoryTools);
      removalRoutes(scope, site, tools, sites);
    }
    if (directoryTools) {
      recordRoutes(scope, site, directoryTools);
      politenessRoutes(scope, site, directoryTools);
    }
    if (relevance) relevanceRoutes(scope, site, relevance);
    if (site.standing) standingRoutes(scope, site, site.standing);
    accessRoutes(scope, site, accounts);
    auditRoutes(scope, site, desk);
  };
  const pages: FastifyPluginAsync = async (scope) => {
    acceptOnlyForms(scope);
    guardAdminPages(scope, options);
    signInRoutes(scope, site, signIn);
    void scope.register(signedIn);
  };
  void server.register(pages);
}
