/** The relevance desk: people judge results, and compare, publish and roll back ranking profiles. */
import type { FastifyInstance } from 'fastify';
import type { ServerContext } from '../../server-context.ts';
import { judgeRoutes } from './judge-page.ts';
import { profileRoutes } from './profiles-page.ts';
import type { RelevanceDesk } from './relevance-desk.ts';

export type {
  DeskEvaluation,
  DeskProfile,
  DeskProfiles,
  DeskResult,
  RelevanceDesk,
} from './relevance-desk.ts';

export function relevanceRoutes(server: FastifyInstance, site: ServerContext, desk: RelevanceDesk): void {
  judgeRoutes(server, site, desk);
  profileRoutes(server, site, desk);
}
