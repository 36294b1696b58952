/** /openapi.json: the JSON interface described by the schemas that validate it, so that it cannot say otherwise. */
import { fastifySwagger } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

/** Must be registered before the routes that it describes: it listens for them. */
export function describeRoutes(server: FastifyInstance, version: string, needsKey: boolean): void {
  void server.register(fastifySwagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gyre',
        version,
        description: 'Search, suggestions and short answers of this engine.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      ...(needsKey && {
        components: { securitySchemes: { key: { type: 'http' as const, scheme: 'bearer' } } },
        security: [{ key: [] }],
      }),
    },
  });
}

export function openApiRoutes(server: FastifyInstance): void {
  server.get('/openapi.json', () => server.swagger());
}
