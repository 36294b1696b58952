/**
 * The URLs that the operator has removed, as a set of rules:
 *
 *   https://example.org/page        this URL
 *   https://example.org/private/*   all URLs that begin with the text before the star
 *   example.org                     all URLs of this host, on any port (host-patterns.ts describes the forms)
 *
 * The scheme of a URL does not count: a rule for `https:` also covers `http:`, because most sites have the same
 * pages on both.
 *
 * Cost: a set look-up per URL, and one comparison for each prefix and host rule.
 */
import { UsageError } from '../../base/mod.ts';
import { type CanonicalUrl, canonicalize, originOf, parseHostPattern } from '../../url/mod.ts';

export type RemovalKind = 'url' | 'prefix' | 'host';

/** The URLs that a removal covers. `value` is a canonical URL, the beginning of canonical URLs, or a host pattern. */
export interface RemovalTarget {
  kind: RemovalKind;
  value: string;
}

/** Parses a target as people type it. Throws a UsageError if the text is not a target. */
export function parseRemovalTarget(text: string): RemovalTarget {
  const hasScheme = /^https?:\/\//i.test(text);
  if (!hasScheme && !text.includes('/')) {
    parseHostPattern(text, 'bad-target');
    return { kind: 'host', value: text.toLowerCase() };
  }
  const isPrefix = text.endsWith('*');
  const plain = isPrefix ? text.slice(0, -1) : text;
  const url =
    plain.includes('://') && !hasScheme ? null : canonicalize(hasScheme ? plain : `https://${plain}`);
  if (url) return { kind: isPrefix ? 'prefix' : 'url', value: url };
  throw new UsageError(
    'bad-target',
    `"${text}" is no web address: expected https://example.org/page, https://example.org/folder/* or example.org`,
  );
}

/** Renders a target as people type it. */
export function describeTarget({ kind, value }: RemovalTarget): string {
  return kind === 'prefix' ? `${value}*` : value;
}

interface HostRule {
  matches(origin: string): boolean;
}

export class RemovedUrls {
  readonly #urls: ReadonlySet<string>;
  readonly #prefixes: readonly string[];
  readonly #hosts: readonly HostRule[];
  /** The host rules without their ports, and the hosts of the rules for URLs and prefixes. */
  readonly #anyPort: readonly HostRule[];
  readonly #names: ReadonlySet<string>;

  constructor(targets: readonly RemovalTarget[]) {
    const valuesOf = (wanted: RemovalKind) =>
      targets.filter(({ kind }) => kind === wanted).map(({ value }) => value);
    this.#urls = new Set(valuesOf('url').map(withoutScheme));
    this.#prefixes = valuesOf('prefix').map(withoutScheme);
    this.#hosts = valuesOf('host').map((value) => parseHostPattern(value, 'bad-target'));
    this.#anyPort = valuesOf('host').map((value) => parseHostPattern(withoutPort(value), 'bad-target'));
    this.#names = new Set(
      [...this.#urls, ...this.#prefixes].map((rest) => withoutPort(rest.split('/', 1)[0]!)),
    );
  }

  get isEmpty(): boolean {
    return this.#urls.size + this.#prefixes.length + this.#hosts.length === 0;
  }

  matches(url: CanonicalUrl): boolean {
    if (this.isEmpty) return false;
    const rest = withoutScheme(url);
    if (this.#urls.has(rest) || this.#prefixes.some((prefix) => rest.startsWith(prefix))) return true;
    return this.#hosts.length > 0 && this.coversHost(originOf(url));
  }

  /** Returns true if all URLs of this origin are removed by a rule for its host. */
  coversHost(origin: string): boolean {
    return this.#hosts.some((host) => host.matches(origin));
  }

  /**
   * Returns false if certainly no URL of this host is removed, on any port. A scan of all URLs then skips the
   * host.
   */
  mayMatch(host: string): boolean {
    return this.#names.has(host) || this.#anyPort.some((rule) => rule.matches(`http://${host}`));
  }
}

function withoutScheme(url: string): string {
  return url.slice(url.indexOf('//') + 2);
}

function withoutPort(authority: string): string {
  return authority.replace(/:\d+$/, '');
}
