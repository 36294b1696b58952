/**
 * `/api/v1/pages?url=`: the newest contents of a page for programs. The thread that accepts connections parses nothing:
 * it looks the URL up in the crawl state, and the threads of the archive read the page.
 */
import type { FastifyInstance } from 'fastify';
import type { CanonicalUrl } from '../../url/mod.ts';
import { RequestProblem } from '../errors.ts';
import { type QueryParameters, readAddress } from '../http/mod.ts';
import type { PageArchive, ServerContext } from '../server-context.ts';
import { PAGE_SCHEMA } from './data-schemas.ts';

/** The state of a URL in the crawl. `blocked` has the code of the reason, such as `robots`. */
export type PageStanding =
  | { kind: 'page'; url: CanonicalUrl }
  | { kind: 'blocked'; why: string }
  | { kind: 'unknown' | 'waiting' | 'failed' | 'gone' | 'removed' | 'no-page' };

type Contents = Awaited<ReturnType<NonNullable<PageArchive['contents']>>>;

const PROBLEMS: Readonly<
  Record<Exclude<PageStanding['kind'], 'page'>, [status: number, code: string, detail: string]>
> = {
  unknown: [404, 'page-unknown', 'The crawl does not know this URL.'],
  waiting: [404, 'page-waiting', 'The crawl knows this URL and has not fetched it yet; try again later.'],
  failed: [404, 'page-failed', 'The crawl could not fetch this URL.'],
  'no-page': [404, 'not-a-page', 'The response of this URL is not a page.'],
  gone: [410, 'page-gone', 'The page no longer exists at its site.'],
  removed: [410, 'page-removed', 'The operator of this engine has removed the page.'],
  blocked: [403, 'page-blocked', 'This URL is not fetched or its page not kept; the reason is'],
};

export function pagesApiRoutes(server: FastifyInstance, { archive, standingOf }: ServerContext): void {
  if (!archive?.contents || !standingOf) return;
  server.get<{ Querystring: QueryParameters & { links: boolean } }>(
    '/api/v1/pages',
    { schema: PAGE_SCHEMA },
    async (request) => {
      const standing = await standingOf(readAddress(request.query));
      if (standing.kind !== 'page') throw problemOf(standing);
      return shown(await archive.contents!(standing.url), request.query.links);
    },
  );
}

function problemOf(standing: Exclude<PageStanding, { kind: 'page' }>): RequestProblem {
  const [status, code, detail] = PROBLEMS[standing.kind];
  return new RequestProblem(status, code, 'why' in standing ? `${detail}: ${standing.why}.` : detail);
}

function shown(found: Contents, hasLinks: boolean): object {
  if (found.kind === 'none') throw new RequestProblem(404, 'no-copy', 'The archive has no copy of the page.');
  if (found.kind === 'refused')
    throw new RequestProblem(403, 'page-withheld', 'The page asks that its text not be shown elsewhere.');
  if (found.kind !== 'contents')
    throw new RequestProblem(503, 'overloaded', 'The page could not be read in time.');
  const { kind: _, links, fetchedAt, publishedAt, modifiedAt, capture, ...page } = found;
  return {
    ...page,
    ...(publishedAt !== undefined && { publishedAt: isoTime(publishedAt) }),
    ...(modifiedAt !== undefined && { modifiedAt: isoTime(modifiedAt) }),
    ...(hasLinks && { links }),
    fetchedAt: isoTime(fetchedAt),
    record: { url: page.url, ...capture },
  };
}

function isoTime(moment: number): string {
  return new Date(moment).toISOString();
}
