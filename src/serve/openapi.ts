/** /openapi.json: the JSON interface described by the schemas that validate it, so that it cannot say otherwise. */
import { fastifySwagger } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { sendTagged } from './entity-tag.ts';

const BEARER = { type: 'http', scheme: 'bearer' } as const;

/** What opens a route, where the operator wants it closed. */
export interface Secrets {
  /** Whether the interface for everybody needs a key, and the admin's a token. */
  key: boolean;
  token: boolean;
}

/** Must be registered before the routes that it describes: it listens for them. */
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
