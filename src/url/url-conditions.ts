/**
 * The conditions of URL rules. Each condition is evaluated for a site (scheme, host and port) first. The result
 * is true, false, or a test for single URLs of this site. Therefore only conditions that need the URL are
 * evaluated for each URL.
 */
import type { CanonicalUrl } from './canonical.ts';
import { namesAbove } from './host-name.ts';
import { compilePattern } from './linear-pattern.ts';
import { hostOf, originOf, pathOf } from './parts.ts';
import { languageOf } from './url-language.ts';
import { listWordsOf, readUrlList } from './url-list.ts';
import type { UrlRule } from './url-rules.ts';

/** The scheme, host and port that several URLs have in common. */
interface UrlSite {
  readonly origin: string;
  /** The host with its port, if the port is not the default. */
  readonly authority: string;
  /** The names of the host and of all domains above it, each with and without the port. */
  readonly names: readonly string[];
}

export type PageTest = (url: CanonicalUrl, depth: number) => boolean;
export type SiteTest = (site: UrlSite) => boolean | PageTest;

export function siteOf(url: CanonicalUrl): UrlSite {
  const origin = originOf(url);
  const authority = origin.slice(origin.indexOf('//') + 2);
  const host = hostOf(url);
  return { origin, authority, names: namesAbove(host, authority.slice(host.length + 1)) };
}

/** Returns the conditions of a rule. Conditions that depend only on the site come first. */
export function conditionsOf(rule: UrlRule): SiteTest[] {
  const { host, domain, suffix, list, prefix, longerThan, deeperThan } = rule;
  const { extension, language, word, pattern } = rule;
  return [
    ...when(host, (hosts) => isHost(hosts)),
    ...when(domain, (domains) => below(domains)),
    ...when(suffix, (suffixes) => below(suffixes)),
    ...when(list, (lists) => listed(lists)),
    ...when(prefix, (prefixes) => begins(prefixes)),
    ...when(longerThan, (length) => always((url) => url.length > length)),
    ...when(deeperThan, (limit) => always((_, depth) => depth > limit)),
    ...when(extension, (extensions) => hasExtension(extensions)),
    ...when(language, (languages) => announces(languages)),
    ...when(word, (words) => hasWord(new Set(words))),
    ...when(pattern, (patterns) => matches(patterns)),
  ];
}

function when<T>(value: T | undefined, condition: (value: T) => SiteTest): SiteTest[] {
  return value === undefined ? [] : [condition(value)];
}

/** Makes a condition that does not depend on the site, so that it has to be tested for each URL. */
function always(test: PageTest): SiteTest {
  return () => test;
}

function isHost(hosts: readonly string[]): SiteTest {
  const known = new Set(hosts);
  return ({ authority, names }) => known.has(authority) || known.has(names[0]!);
}

function below(domains: readonly string[]): SiteTest {
  const known = new Set(domains);
  return ({ names }) => names.some((name) => known.has(name));
}

/** Makes a condition that is true if the domain, or a word of the URL, is on one of the lists. */
export function listed(names: readonly string[]): SiteTest {
  const lists = names.map(readUrlList);
  const domains = new Set(lists.flatMap((list) => [...list.domains]));
  const words = new Set(lists.flatMap((list) => [...list.words]));
  const byWord = hasWord(words);
  return (site) => site.names.some((name) => domains.has(name)) || (words.size > 0 && byWord(site));
}

function hasWord(words: ReadonlySet<string>): SiteTest {
  return always((url) => listWordsOf(url).some((word) => words.has(word)));
}

/**
 * Makes a condition on the beginning of the URL. For a prefix with a host, it is false on all other sites.
 */
function begins(prefixes: readonly string[]): SiteTest {
  return ({ origin, authority }) => {
    const paths = prefixes.flatMap((prefix) => {
      if (prefix.startsWith('/')) return [prefix];
      const site = prefix.includes('://') ? origin : authority;
      return prefix.startsWith(`${site}/`) ? [prefix.slice(site.length)] : [];
    });
    if (paths.length === 0) return false;
    return (url) => paths.some((path) => url.startsWith(path, origin.length));
  };
}

function hasExtension(extensions: readonly string[]): SiteTest {
  const known = new Set(extensions);
  return always((url) => {
    const path = pathOf(url).split('?', 1)[0]!;
    const dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') && known.has(path.slice(dot + 1).toLowerCase());
  });
}

function announces(languages: readonly string[]): SiteTest {
  const known = new Set(languages);
  return always((url) => {
    const language = languageOf(url);
    return language !== null && (known.has('*') || known.has(language));
  });
}

function matches(patterns: readonly string[]): SiteTest {
  const tests = patterns.map(compilePattern);
  return always((url) => tests.some((found) => found(url)));
}
