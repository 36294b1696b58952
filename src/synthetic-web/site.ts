/**
 * A site is one host of the synthetic web: a function from requests to responses. Sites are pure. State about
 * earlier requests (for example, the third request succeeds) is kept by the server and read through
 * `Visit.tally`, so that one plan can be served twice at once.
 */
import type { Readable } from 'node:stream';

/** A page without the port, which is known only when the server listens. */
export interface Place {
  host: string;
  /** Path and query, as in a request line. */
  path: string;
}

/** Port 80 is left out, as in a canonical URL. */
export function urlOf({ host, path }: Place, port: number): string {
  return port === 80 ? `http://${host}${path}` : `http://${host}:${port}${path}`;
}

export interface Visit extends Place {
  port: number;
  /** Milliseconds since 1970 by the server's clock. */
  now: number;
  /** Aborted when the client has disconnected or the server closes. */
  signal: AbortSignal;
  header(name: string): string;
  url(host: string, path: string): string;
  /**
   * Counts this visit under `key` (by default the host and path of the visit) and returns the number of earlier visits.
   */
  tally(key?: string): Tally;
}

export interface Tally {
  earlier: number;
  /** The time of the first visit by the clock; this visit's `now` if it is the first. */
  firstAt: number;
}

/** The end of a response after its body: a proper end, silence on an open connection, or a closed socket. */
export type Ending = 'finish' | 'hang' | 'cut';

export interface WebResponse {
  /** The HTTP status. With 0 nothing is sent, not even a status line, and `ending` must not be `finish`. */
  status: number;
  headers?: Record<string, string>;
  /** A body of bytes is sent with a Content-Length, a stream in chunks. */
  body?: Uint8Array | string | (() => Readable);
  /** Delay before the status line. */
  delayMs?: number;
  ending?: Ending;
  /** The waiting time in the `Retry-After` header, from now. */
  retryAfterMs?: number;
}

export type Responder = (visit: Visit) => WebResponse;

/**
 * The verdict of robots.txt on a path. `either`: the standard allows both, so checkers report no violation.
 */
export type Verdict = 'allowed' | 'disallowed' | 'either';

export interface Site {
  readonly host: string;
  /** Returns the response; undefined becomes a plain 404. */
  answer(visit: Visit): WebResponse | undefined;
  /** The ground truth of its robots.txt; a site without it allows everything. */
  readonly robots?: SiteRobots;
}

export interface SiteRobots {
  verdict(path: string): Verdict;
  /** 0 when the file has no Crawl-delay. */
  crawlDelayMs: number;
  /** The file returns 5xx or no response: no page may be requested. */
  closed: boolean;
  /** Paths of robots.txt besides `/robots.txt`: the targets of its redirects. */
  filePaths: ReadonlySet<string>;
}

const OPEN_ROBOTS: WebResponse = {
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'User-agent: *\nDisallow:\n',
};

export function openRobots(): WebResponse {
  return OPEN_ROBOTS;
}

/** Makes a site from pages by path; `/robots.txt` allows everything unless it is among them. */
export function plannedSiteOf(host: string, pages: Record<string, Responder>, robots?: SiteRobots): Site {
  const byPath = new Map<string, Responder>(Object.entries({ '/robots.txt': openRobots, ...pages }));
  const answer = (visit: Visit) => byPath.get(visit.path)?.(visit);
  return robots ? { host, answer, robots } : { host, answer };
}

export function htmlResponse(body: string, headers: Record<string, string> = {}): WebResponse {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body };
}

export function redirect(status: number, location: string): WebResponse {
  return { status, headers: { location, 'content-type': 'text/plain' }, body: `See ${location}\n` };
}

export function failureResponse(status: number, message: string): WebResponse {
  const body = `<!doctype html><title>${status}</title><h1>${message}</h1>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}
