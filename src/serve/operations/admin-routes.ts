/**
 * Serves `/api/v1/admin/inspect`, the whole life of a URL, and `/api/v1/admin/removals`, the list of removed
 * pages and changes of this list. admin-access.ts decides which clients may use them.
 */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { FETCH_SCHEMA, INSPECT_SCHEMA, REMOVAL_CHANGE_SCHEMA, REMOVALS_SCHEMA } from '../api/mod.ts';
import { RequestProblem } from '../errors.ts';
import { type AdminAccess, adminOnly, requesterOf } from '../guards/mod.ts';

export interface InspectRequest {
  url: string;
  /** The query to explain; null for none. */
  query: string | null;
  /** The place of the result with which the URL is compared; null for the result directly above the URL. */
  below: number | null;
}

export interface RemovalRequest {
  action: 'remove' | 'allow';
  targets: string[];
  /** True to delete every byte of the pages, too. */
  purge: boolean;
  /** The name of the client that made the request, for the audit log. */
  who: string;
}

/** The life of a URL in English, in the order in which it happens. */
export interface InspectionReport {
  url: string;
  /** True if searches find the page of this URL. */
  isFound: boolean;
  /** The reason why searches find it or not: a sentence whose subject is the URL. */
  verdict: string;
  sections: ReportSection[];
}

export interface ReportSection {
  title: string;
  rows: ReportRow[];
  /** Text that is already laid out in lines, such as the score of a query. */
  text?: string;
}

export interface ReportRow {
  name: string;
  text: string;
  /** The URL with which `text` begins, if it can be inspected too. */
  inspects?: string;
  /** The time of the record in the archive that the row is about, 14 digits. */
  record?: string;
}

/** The pages that a removal would concern. */
export interface RemovalPreview {
  /** All targets, with the other URLs of their documents. */
  rules: string[];
  documents: number;
  urls: number;
  examples: string[];
}

interface ListedRemoval {
  /** The target, as `gyre remove` takes it. */
  target: string;
  removedAt: number;
  purge: 'no' | 'pending' | 'done';
  /** The URL that the operator named, if this is another URL of the same document. */
  because?: string;
}

export interface ListedRemovals {
  isSettled: boolean;
  removed: ListedRemoval[];
}

/** The requests and delays of the crawl on one day in UTC, by host. */
export interface PolitenessDay {
  day: string;
  rows: {
    host: string;
    requests: number;
    bytes: number;
    /** The number of delays, their sum and the longest of them in ms, by cause. */
    delays: Readonly<Record<string, readonly [count: number, totalMs: number, longestMs: number]>>;
  }[];
}

/**
 * Implements the admin routes that every engine has. Methods reject with a UsageError if the request makes no sense.
 */
export interface AdminTools {
  inspect(request: InspectRequest): Promise<object>;
  report(request: InspectRequest): Promise<InspectionReport>;
  removals(): Promise<object>;
  listRemovals(): Promise<ListedRemovals>;
  previewRemoval(targets: string[]): Promise<RemovalPreview>;
  /** Changes the list of removals. It is carried out after the response. */
  change(request: RemovalRequest): Promise<object>;
}

/**
 * The work that needs the data directory of an engine. A gateway of a cluster has none, so it lacks the routes and
 * pages for this work. Methods reject as those of `AdminTools` do.
 */
export interface DirectoryTools {
  /** Asks the crawl to fetch a URL now. Returns a sentence about what happens. */
  fetchNow(url: string, who: string): Promise<string>;
  /** Takes URLs into the crawl. The results are in the order of the URLs. */
  takeUrls(urls: readonly string[], who: string): Promise<TakenUrl[]>;
  /** Returns the stored bytes of a record of the archive; null if there is none. An empty `at` selects the newest. */
  record(url: string, at: string): Promise<StoredRecord | null>;
  /** Returns a WACZ file with the newest captures of pages. */
  wacz(pages: readonly { url: string; title: string }[]): Promise<Uint8Array>;
  /** Returns the politeness ledger of the hosts whose name contains a text, the newest day first. */
  politeness(host: string): Promise<PolitenessDay[]>;
  politenessFile(format: 'csv' | 'json'): Promise<string>;
}

/** The verdict on a URL of a batch. A refused URL has the code of the reason, and the reason as a clause. */
export interface TakenUrl {
  /** The URL that the crawl uses, in its canonical form; if it has none, the URL as it was given. */
  url: string;
  status: 'accepted' | 'known' | 'refused';
  code?: string;
  reason?: string;
}

/** A record as it is stored: one gzip member or zstd frame, which is a WARC file of one record. */
export interface StoredRecord {
  /** A name for the file, such as `00000001-1234.warc.gz`. */
  name: string;
  bytes: Uint8Array;
}

interface InspectQuery {
  url: string;
  query?: string;
  below?: number;
}

type RemovalBody = Pick<RemovalRequest, 'action' | 'targets'> & { purge?: boolean };

export function adminRoutes(
  server: FastifyInstance,
  tools: AdminTools,
  directoryTools: DirectoryTools | undefined,
  access: AdminAccess,
): void {
  const onRequest = adminOnly(access);
  const security = access.token === '' ? [] : [{ token: [] }];
  const options = <T extends object>(schema: T) => ({ onRequest, schema: { ...schema, security } });
  server.get<{ Querystring: InspectQuery }>(
    '/api/v1/admin/inspect',
    options(INSPECT_SCHEMA),
    ({ query: { url, query = null, below = null } }) => orProblem(tools.inspect({ url, query, below })),
  );
  if (directoryTools)
    server.post<{ Body: { url: string } }>(
      '/api/v1/admin/fetch',
      options(FETCH_SCHEMA),
      async (request, reply) => {
        const note = await orProblem(directoryTools.fetchNow(request.body.url, requesterOf(request)));
        return reply.code(202).send({ url: request.body.url, note });
      },
    );
  server.get('/api/v1/admin/removals', options(REMOVALS_SCHEMA), () => orProblem(tools.removals()));
  server.post<{ Body: RemovalBody }>(
    '/api/v1/admin/removals',
    options(REMOVAL_CHANGE_SCHEMA),
    async (request, reply) => {
      const { action, targets, purge = false } = request.body;
      return reply
        .code(202)
        .send(await orProblem(tools.change({ action, targets, purge, who: requesterOf(request) })));
    },
  );
}

/** Turns a UsageError, which says what the client can do, into a response with status 400; 503 if a service is away. */
export async function orProblem<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const status = error.code === 'service-unreachable' ? 503 : 400;
    throw new RequestProblem(status, error.code, error.message);
  }
}
