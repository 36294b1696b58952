/** Serves the OpenSearch description for browsers and robots.txt for crawlers. */
import type { FastifyInstance } from 'fastify';
import { requestOriginOf } from '../guards/mod.ts';
import { html } from '../html.ts';
import { sendTagged } from '../http/mod.ts';
import type { ServerContext } from '../server-context.ts';

/** OpenSearch 1.1 allows no longer short name. */
const MAX_SHORT_NAME = 16;

const ROBOTS = `User-agent: *
Disallow: /search
Disallow: /answers
Disallow: /api/
`;

export function discoveryRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get('/opensearch.xml', (request, reply) => {
    const description = renderDescription(site, requestOriginOf(site, request));
    reply.type('application/opensearchdescription+xml; charset=utf-8');
    return sendTagged(request, reply, description);
  });
  server.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS));
}

/**
 * Renders the OpenSearch description. OpenSearch 1.1 requires absolute URLs, so it needs the origin of the
 * server.
 */
function renderDescription({ brand, assets }: ServerContext, origin: string): string {
  const icon = assets.logo ?? { path: '/favicon.svg', type: 'image/svg+xml' };
  return String(html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${[...brand.name].slice(0, MAX_SHORT_NAME).join('').trim()}</ShortName>
<LongName>${brand.name}</LongName>
<Description>Search with ${brand.name} at ${origin}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="16" height="16" type="${icon.type}">${origin}${icon.path}</Image>
<Url type="text/html" method="get" template="${origin}/search?q={searchTerms}"/>
<Url type="application/json" method="get" template="${origin}/api/v1/search?q={searchTerms}"/>
<Url type="application/x-suggestions+json" rel="suggestions" method="get" template="${origin}/opensearch-suggest?q={searchTerms}"/>
<Url type="application/atom+xml" method="get" template="${origin}/search.atom?q={searchTerms}"/>
<Url type="application/rss+xml" method="get" template="${origin}/search.rss?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${origin}/opensearch.xml"/>
</OpenSearchDescription>
`);
}
