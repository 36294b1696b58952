/**
 * Serves /openapi.json. It is generated from the schemas that validate the JSON API, so that the two cannot
 * disagree.
 */
import { fastifySwagger } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { sendTagged } from '../http/mod.ts';

const BEARER = { type: 'http', scheme: 'bearer' } as const;

/** Tells whether the operator requires credentials. */
interface Secrets {
  /** `key` is true if the public API requires a key; `token` is true if the admin API requires a token. */
  key: boolean;
  token: boolean;
}

/**
 * Collects the routes for /openapi.json as they are registered. Must be called before the routes are added.
 */
export function describeRoutes(server: FastifyInstance, version: string, secrets: Secrets): void {
  const { key, token } = secrets;
  void server.register(fastifySwagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gyre',
        version,
        description: 'Search, suggestions and short answers of this engine, and its crawl.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: { securitySchemes: { ...(key && { key: BEARER }), ...(token && { token: BEARER }) } },
      ...(key && { security: [{ key: [] }] }),
    },
  });
}

export function openApiRoutes(server: FastifyInstance): void {
  server.get('/openapi.json', (request, reply) =>
    sendTagged(request, reply.type('application/json; charset=utf-8'), JSON.stringify(server.swagger())),
  );
}
