/**
 * Suggestions for programs, and for browsers that have Gyre in their own search box (OpenSearch suggestions: what
 * was typed, then a list of completions).
 */
import type { FastifyInstance } from 'fastify';
import type { Suggestion } from '../query/mod.ts';
import { type QueryParameters, readSuggestionLimit, readTyped } from './search-input.ts';
import type { Site } from './site.ts';

export function suggestionRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>('/api/v1/suggest', async ({ query: parameters }) => {
    const query = readTyped(parameters);
    const suggestions = await suggestionsFor(site, query, readSuggestionLimit(parameters));
    return {
      query,
      suggestions: suggestions.map(({ text, url }) => (url === undefined ? { text } : { text, url })),
    };
  });
  server.get<{ Querystring: QueryParameters }>(
    '/opensearch/suggest',
    async ({ query: parameters }, reply) => {
      const query = readTyped(parameters);
      const suggestions = await suggestionsFor(site, query, readSuggestionLimit(parameters));
      reply.type('application/x-suggestions+json; charset=utf-8');
      return JSON.stringify([query, suggestions.map(({ text }) => text)]);
    },
  );
}

async function suggestionsFor({ searcher }: Site, query: string, limit: number): Promise<Suggestion[]> {
  if (query === '') return [];
  return (await searcher.suggest?.(query, limit)) ?? [];
}
