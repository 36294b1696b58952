/**
 * Serves `/api/v1/admin/cluster`: the state of the whole cluster, commands for all its nodes, the live settings of its
 * crawl, and its dead letters. admin-access.ts decides which clients may use it.
 */
import type { FastifyInstance } from 'fastify';
import {
  CLUSTER_ACTION_SCHEMA,
  type CLUSTER_ACTIONS,
  CLUSTER_SCHEMA,
  CLUSTER_SETTINGS_SCHEMA,
  DEAD_LETTER_ACTION_SCHEMA,
  type DEAD_LETTER_ACTIONS,
  DEAD_LETTERS_SCHEMA,
} from '../api/mod.ts';
import { type AdminAccess, adminOnly } from '../guards/mod.ts';
import { orProblem } from './admin-routes.ts';

type ClusterAction = (typeof CLUSTER_ACTIONS)[number];
type DeadLetterAction = (typeof DEAD_LETTER_ACTIONS)[number];

interface ClusterSettings {
  seeds: string[];
  crawl: Record<string, unknown>;
}

/** Implements the routes. Methods reject with a UsageError if a service refuses the work, or a setting is wrong. */
export interface ClusterTools {
  state(): Promise<object>;
  act(action: ClusterAction): Promise<void>;
  /** Replaces seeds and settings of all crawl nodes. Returns false if they were the same. */
  apply(settings: ClusterSettings): Promise<boolean>;
  deadLetters(): Promise<object[]>;
  /** Returns the number of dead letters that were sent again or deleted. */
  settleDeadLetters(action: DeadLetterAction): Promise<number>;
}

export function clusterRoutes(server: FastifyInstance, tools: ClusterTools, access: AdminAccess): void {
  const onRequest = adminOnly(access);
  const security = access.token === '' ? [] : [{ token: [] }];
  const options = <T extends object>(schema: T) => ({ onRequest, schema: { ...schema, security } });
  server.get('/api/v1/admin/cluster', options(CLUSTER_SCHEMA), () => orProblem(tools.state()));
  server.post<{ Body: { action: ClusterAction } }>(
    '/api/v1/admin/cluster',
    options(CLUSTER_ACTION_SCHEMA),
    async ({ body: { action } }, reply) => {
      await orProblem(tools.act(action));
      return reply.code(202).send({ action });
    },
  );
  server.post<{ Body: ClusterSettings }>(
    '/api/v1/admin/cluster/settings',
    options(CLUSTER_SETTINGS_SCHEMA),
    async ({ body }, reply) => reply.code(202).send({ changed: await orProblem(tools.apply(body)) }),
  );
  server.get('/api/v1/admin/cluster/dead-letters', options(DEAD_LETTERS_SCHEMA), async () => ({
    letters: await orProblem(tools.deadLetters()),
  }));
  server.post<{ Body: { action: DeadLetterAction } }>(
    '/api/v1/admin/cluster/dead-letters',
    options(DEAD_LETTER_ACTION_SCHEMA),
    async ({ body: { action } }) => ({ action, count: await orProblem(tools.settleDeadLetters(action)) }),
  );
}
