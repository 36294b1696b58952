/** /api/v1/images: the pictures of the Images tab, for programs. */
import type { FastifyInstance } from 'fastify';
import { FAMILY_LEVELS } from '../../query/mod.ts';
import { IMAGES_SCHEMA } from '../api/mod.ts';
import { arrivalOf } from '../guards/mod.ts';
import { type QueryParameters, readChoice, requireQuery, varyBy } from '../http/mod.ts';
import { languageFor } from '../messages/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { IMAGE_PAGES, imagesOf } from './image-results.ts';
import { imageQuery } from './search-state.ts';

export function imageApiRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get<{ Querystring: QueryParameters }>(
    '/api/v1/images',
    { schema: IMAGES_SCHEMA },
    async (request, reply) => {
      varyBy(reply, 'accept-language');
      const query = requireQuery(request.query);
      const family = readChoice(request.query, 'family', FAMILY_LEVELS);
      const language = languageFor(request.headers['accept-language'] ?? '');
      const response = await site.searcher.search({
        ...{ query: imageQuery(query), offset: 0, limit: IMAGE_PAGES, collapse: true, images: true },
        ...(site.siteRules.length > 0 && { siteRules: site.siteRules }),
        ...(family !== '' && { family }),
        ...(language !== '' && { preferredLanguage: language }),
        ...arrivalOf(request),
      });
      return { query, images: imagesOf(response) };
    },
  );
}
