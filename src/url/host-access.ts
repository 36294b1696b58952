/**
 * Credentials for hosts that need them: a name and password, a cookie, or a header with a key.
 *
 *   { "wiki.corp.example": { "basic": "gyre:secret" },
 *     "*.shop.example": { "cookie": "consent=1", "headers": { "x-api-key": "…" } } }
 *
 * Credentials are sent only to the named hosts. If such a host redirects to another host, the request to the
 * other host has no credentials. Credentials are never logged. The archive has the names of headers with
 * credentials, but not their values. Cookies set by hosts are not kept, so that hosts cannot link two requests
 * to the same visitor.
 */
import { UsageError } from '../base/mod.ts';
import { type HostPattern, parseHostPattern } from './host-patterns.ts';

export interface HostAccess {
  /** Returns the headers to send to an origin. Their names are in lower case. */
  headersFor(origin: string): Readonly<Record<string, string>>;
}

interface Entry {
  pattern: HostPattern;
  headers: Readonly<Record<string, string>>;
}

const BAD_ACCESS = 'bad-access';
/**
 * Headers that settings cannot change, because they identify the crawler, delimit the message or choose the
 * content coding.
 */
const OURS = new Set([
  ...['host', 'user-agent', 'accept-encoding', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'range', 'proxy-authorization'],
  ...['if-none-match', 'if-modified-since'],
]);

/**
 * Parses the credentials in the configuration. Throws a UsageError that names the host and the mistake, and
 * never contains a secret.
 */
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

/** Returns the value of a basic Authorization header (RFC 7617), in UTF-8. */
function basicOf(host: string, credentials: string): string {
  if (!credentials.includes(':')) throw wrong(`${host}: basic is written as "name:password"`);
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function expectObject(value: unknown, wanted: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrong(`expected ${wanted}`);
}

/** Returns the value of a header. Throws if it has a line end, which would begin another header. */
function expectLine(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '' && /^[\x20-\x7e\u0080-\u00ff\t]*$/.test(value)) return value;
  throw wrong(`${where}: expected a line of text`);
}

function wrong(message: string): UsageError {
  return new UsageError(BAD_ACCESS, message);
}
