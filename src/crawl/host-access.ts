/**
 * What hosts of one's own want to be told before they show their pages: a name and password, a cookie, a
 * header with a key.
 *
 *   { "wiki.corp.example": { "basic": "gyre:secret" },
 *     "*.shop.example": { "cookie": "consent=1", "headers": { "x-api-key": "…" } } }
 *
 * Sent to the hosts that are named and to no other: a redirect elsewhere is a request of its own, without
 * them. They are never logged, and the archive has the names of such headers, but not what was sent. What
 * hosts set in return is not kept: two requests are never told to be the same visitor.
 */
import { UsageError } from '../base/mod.ts';
import { type HostPattern, parseHostPattern } from './host-patterns.ts';

export interface HostAccess {
  /** The headers for this origin, names in lower case. */
  headersFor(origin: string): Readonly<Record<string, string>>;
}

interface Entry {
  pattern: HostPattern;
  headers: Readonly<Record<string, string>>;
}

const BAD_ACCESS = 'bad-access';
/** What names us, frames the message or chooses the coding is not for a setting to change. */
const OURS = new Set([
  ...['host', 'user-agent', 'accept-encoding', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'range', 'proxy-authorization'],
  ...['if-none-match', 'if-modified-since'],
]);

/** Throws a UsageError that names the host and says what is wrong, and never repeats a secret. */
export function parseHostAccess(value: unknown): HostAccess {
  const entries = Object.entries(expectObject(value, 'a map of hosts')).map(([host, access]): Entry => {
    const pattern = parseHostPattern(host, BAD_ACCESS);
    return { pattern, headers: headersOf(host, expectObject(access, `${host}: basic, cookie or headers`)) };
  });
  return {
    headersFor(origin) {
      return entries.find(({ pattern }) => pattern.matches(origin))?.headers ?? {};
    },
  };
}

function headersOf(host: string, access: Record<string, unknown>): Readonly<Record<string, string>> {
  const { basic, cookie, headers = {}, ...unknown } = access;
  const [stray] = Object.keys(unknown);
  if (stray) throw wrong(`${host}: unknown key "${stray}"; known are basic, cookie, headers`);
  const all: Record<string, string> = {};
  for (const [name, text] of Object.entries(expectObject(headers, `${host}: a map of headers`))) {
    const key = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || OURS.has(key))
      throw wrong(`${host}: "${name}" is not a header that can be set`);
    all[key] = expectLine(text, `${host}: ${name}`);
  }
  if (cookie !== undefined) all.cookie = expectLine(cookie, `${host}: cookie`);
  if (basic !== undefined) all.authorization = basicOf(host, expectLine(basic, `${host}: basic`));
  return Object.freeze(all);
}

/** RFC 7617; in UTF-8. */
function basicOf(host: string, credentials: string): string {
  if (!credentials.includes(':')) throw wrong(`${host}: basic is written as "name:password"`);
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function expectObject(value: unknown, wanted: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrong(`expected ${wanted}`);
}

/** A line end would begin another header. */
function expectLine(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '' && /^[\x20-\x7e\u0080-\u00ff\t]*$/.test(value)) return value;
  throw wrong(`${where}: expected a line of text`);
}

function wrong(message: string): UsageError {
  return new UsageError(BAD_ACCESS, message);
}
