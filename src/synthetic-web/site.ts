/**
 * A site is one host of the synthetic web: a function from requests to responses. Sites are pure. The server
 * counts earlier requests, so that for example only the third request succeeds; a site reads these counts
 * through `Visit.tally`. Therefore two servers can serve the same plan at the same time.
 */
import type { Readable } from 'node:stream';

/** A page of the synthetic web: host and path. The port is known only when the server listens. */
export interface Place {
  host: string;
  /** The path and query, as in a request line. */
  path: string;
}

/** Returns the URL of a page. Port 80 is left out, as in a canonical URL. */
export function urlOf({ host, path }: Place, port: number): string {
  return port === 80 ? `http://${host}${path}` : `http://${host}:${port}${path}`;
}

export interface Visit extends Place {
  port: number;
  /** The time of the visit by the server's clock, in milliseconds since 1970. */
  now: number;
  /** Aborted when the client has disconnected or the server is closed. */
  signal: AbortSignal;
  header(name: string): string;
  url(host: string, path: string): string;
  /**
   * Counts this visit under `key`, by default its host and path. Returns the number of earlier visits and the
   * time of the first visit.
   */
  tally(key?: string): Tally;
}

export interface Tally {
  earlier: number;
  /** The time of the first visit by the server's clock; `now` if this is the first visit. */
  firstAt: number;
}

/**
 * How a response ends after its body: properly, with silence on an open connection, or with a closed socket.
 */
export type Ending = 'finish' | 'hang' | 'cut';

export interface WebResponse {
  /** The HTTP status. With 0 nothing is sent, not even a status line, and `ending` must not be `finish`. */
  status: number;
  headers?: Record<string, string>;
  /** A body of bytes is sent with a Content-Length, a stream in chunks. */
  body?: Uint8Array | string | (() => Readable);
  /** The delay before the status line. */
  delayMs?: number;
  ending?: Ending;
  /** The waiting time from now for the `Retry-After` header. */
  retryAfterMs?: number;
}

export type Responder = (visit: Visit) => WebResponse;

/**
 * The verdict of robots.txt on a path. `either` means that the standard allows both verdicts, so checkers
 * report no violation.
 */
export type Verdict = 'allowed' | 'disallowed' | 'either';

export interface Site {
  readonly host: string;
  /** Returns the response to a request; undefined becomes a plain 404. */
  answer(visit: Visit): WebResponse | undefined;
  /** The ground truth about the robots.txt of the site. If it is absent, robots.txt allows everything. */
  readonly robots?: SiteRobots;
}

export interface SiteRobots {
  verdict(path: string): Verdict;
  /** The Crawl-delay in milliseconds; 0 if robots.txt has none. */
  crawlDelayMs: number;
  /** True if robots.txt returns 5xx or no response. Then no page may be requested. */
  closed: boolean;
  /** Further paths of robots.txt: the targets of the redirects of `/robots.txt`. */
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

/** Makes a site from responses by path. If `/robots.txt` is not among them, it allows everything. */
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
