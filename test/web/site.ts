/**
 * A site is one host of the synthetic web: from a request to what the server does. Sites are pure;
 * what they must remember of earlier requests (the third try succeeds) the server keeps for them
 * behind `Visit.tally`, so that one plan can be served twice at once.
 */
import type { Readable } from 'node:stream';

/** A page without the port, which is known only when the server listens. */
export interface Place {
  host: string;
  /** Path and query, as a request line has it. */
  path: string;
}

/** The port 80 goes without saying, as in a canonical URL. */
export function urlOf({ host, path }: Place, port: number): string {
  return port === 80 ? `http://${host}${path}` : `http://${host}:${port}${path}`;
}

export interface Visit extends Place {
  port: number;
  /** Milliseconds since 1970 by the clock that the server was given. */
  now: number;
  /** Aborted when the client has gone or the server closes. */
  signal: AbortSignal;
  header(name: string): string;
  url(host: string, path: string): string;
  /** Counts this visit under `key` (its own place, if left out) and tells of the earlier ones. */
  tally(key?: string): Tally;
}

export interface Tally {
  earlier: number;
  /** When the first visit came, by the clock; this visit's `now` if it is the first. */
  firstAt: number;
}

/** What follows the body: a proper end, silence with the connection open, or a closed socket. */
export type Ending = 'finish' | 'hang' | 'cut';

export interface Answer {
  /** 0: nothing is sent, not even a status line; then `ending` must not be `finish`. */
  status: number;
  headers?: Record<string, string>;
  /** Bytes are sent with their length, a stream in chunks. */
  body?: Uint8Array | string | (() => Readable);
  /** Silence before the status line. */
  delayMs?: number;
  ending?: Ending;
  /** How long the `Retry-After` header asks to wait from now. */
  retryAfterMs?: number;
}

export type Responder = (visit: Visit) => Answer;

/** What robots.txt says of a path. `either`: the standard leaves it open, nobody is blamed. */
export type Verdict = 'allowed' | 'disallowed' | 'either';

export interface Site {
  readonly host: string;
  /** Undefined becomes a plain 404. */
  answer(visit: Visit): Answer | undefined;
  /** The ground truth of its robots.txt; a site without it allows everything. */
  readonly robots?: SiteRobots;
}

export interface SiteRobots {
  verdict(path: string): Verdict;
  /** 0 when the file asks for none. */
  crawlDelayMs: number;
  /** The file answers 5xx or not at all: no page may be asked for. */
  closed: boolean;
  /** Where robots.txt lives besides `/robots.txt`: the targets of its redirects. */
  filePaths: ReadonlySet<string>;
}

const OPEN_ROBOTS: Answer = {
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'User-agent: *\nDisallow:\n',
};

export function openRobots(): Answer {
  return OPEN_ROBOTS;
}

/** A site of single pages by path; `/robots.txt` allows everything unless it is among them. */
export function siteOf(host: string, pages: Record<string, Responder>, robots?: SiteRobots): Site {
  const byPath = new Map<string, Responder>(Object.entries({ '/robots.txt': openRobots, ...pages }));
  const answer = (visit: Visit) => byPath.get(visit.path)?.(visit);
  return robots ? { host, answer, robots } : { host, answer };
}

export function html(body: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body };
}

export function redirect(status: number, location: string): Answer {
  return { status, headers: { location, 'content-type': 'text/plain' }, body: `See ${location}\n` };
}

export function failure(status: number, message: string): Answer {
  const body = `<!doctype html><title>${status}</title><h1>${message}</h1>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}
