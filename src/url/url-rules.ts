/**
 * Applies the operator's URL rules to a URL. Seeds, links, redirects and sitemap URLs all pass through the same
 * function.
 *
 *   index    fetch it, follow its links, index it (the default)
 *   follow   fetch it and follow its links, but leave it out of the index
 *   ignore   never fetch it
 *
 * The checks run in this order, and the first that applies decides: the scope, the maximum length and depth,
 * the rules in order, the block lists. A rule applies when all its conditions hold; a condition with several
 * values holds if one of them does. A rule without a verb only changes the query, and the rules after it see
 * the changed URL.
 *
 * A page has some fifty links, most of them to one site. Everything that depends on the site alone (scope,
 * host, domain, lists of domains) is therefore evaluated once per site and cached. Often nothing remains to be
 * evaluated per URL.
 */
import { BoundedCache, sha1Base32 } from '../base/mod.ts';
import type { CanonicalUrl } from './canonical.ts';
import { originOf, pathOf } from './parts.ts';
import { type QueryHandling, queryHandler } from './query-parameters.ts';
import { createScope, type Scope, type ScopeMode } from './scope.ts';
import { conditionsOf, listed, type PageTest, type SiteTest, siteOf } from './url-conditions.ts';
import { readListText } from './url-list.ts';

export type UrlVerb = 'index' | 'follow' | 'ignore';

/** Plain data, as returned by `parseUrlRules`, so that it can be sent to another thread. */
export interface UrlRule {
  /** The name given by the operator, or `rule 3`. */
  readonly name: string;
  /** Null if the rule only changes the query. */
  readonly verb: UrlVerb | null;
  /** Hosts, with or without a port: `localhost:8090`. */
  readonly host?: readonly string[];
  /** Domains, each with every host below it. */
  readonly domain?: readonly string[];
  /** Ends of host names, such as country domains: `de`, `co.uk`. */
  readonly suffix?: readonly string[];
  /** Languages that the URL declares; `*` is any language. */
  readonly language?: readonly string[];
  /** Prefixes of URLs (`https://example.org/a`, `example.org/a`) or of paths (`/a`). */
  readonly prefix?: readonly string[];
  /** Regular expressions; see `linear-pattern.ts`. */
  readonly pattern?: readonly string[];
  /** Extensions of the last path segment, without the dot. */
  readonly extension?: readonly string[];
  /** Whole words in host, path or query. */
  readonly word?: readonly string[];
  /** Names of shipped lists, or paths of files. */
  readonly list?: readonly string[];
  /** Matches URLs with more characters than this. */
  readonly longerThan?: number;
  /** Matches URLs that are more than this number of links away from a seed. */
  readonly deeperThan?: number;
  readonly query?: QueryHandling;
}

export interface UrlRulesConfig {
  readonly rules?: readonly UrlRule[];
  /** Lists of URLs to ignore. They apply after all rules, so that a rule can make an exception. */
  readonly lists?: readonly string[];
  readonly maxUrlLength?: number;
  /** Maximum number of links from a seed. */
  readonly maxDepth?: number;
}

interface UrlDecision {
  readonly verb: UrlVerb;
  /** The name of the rule or list that decided, or `scope`, `maxUrlLength`, `maxDepth`, `default`. */
  readonly rule: string;
  /** The URL to fetch: the given URL, unless a rule changed its query. */
  readonly url: CanonicalUrl;
}

export interface UrlRules {
  /** `depth` is the number of links between a seed and this URL. */
  decide(url: CanonicalUrl, depth: number): UrlDecision;
}

/**
 * The complete input of a crawl's URL rules as plain data, from which another thread creates the same rules.
 */
export interface UrlRulesPlan {
  readonly config: UrlRulesConfig;
  readonly scope: ScopeMode;
  readonly seeds: readonly CanonicalUrl[];
  readonly domains: readonly string[];
}

export function rulesOfPlan({ config, scope, seeds, domains }: UrlRulesPlan): UrlRules {
  return createUrlRules(config, createScope(scope, seeds, domains));
}

/** Increase it whenever the same plan may decide differently than before. */
const RULES_VERSION = 1;

/**
 * Returns a key that differs for two plans that may decide differently, even if only the contents of their
 * lists differ.
 */
export function keyOfPlan(plan: UrlRulesPlan): string {
  const { rules = [], lists = [] } = plan.config;
  const names = new Set([...lists, ...rules.flatMap(({ list = [] }) => list)]);
  return sha1Base32(Buffer.from(JSON.stringify([RULES_VERSION, plan, Array.from(names, readListText)])));
}

/** Throws a UsageError if a list cannot be read or a pattern is invalid. */
export function createUrlRules(config: UrlRulesConfig, scope: Scope): UrlRules {
  return new SiteRules(config, scope);
}

interface Rule {
  readonly name: string;
  readonly verb: UrlVerb | null;
  readonly conditions: readonly SiteTest[];
  readonly handleQuery: ((query: string) => string) | null;
}

/** A rule with the tests that remain to be evaluated for each URL of one site. */
interface Step {
  readonly rule: Rule;
  readonly tests: readonly PageTest[];
}

const MAX_SITES = 10_000;

class SiteRules implements UrlRules {
  readonly #scope: Scope;
  readonly #rules: readonly Rule[];
  readonly #maxUrlLength: number;
  readonly #maxDepth: number;
  /** Steps by origin; null for a site out of scope. */
  readonly #steps = BoundedCache.clearedWhenFull<string, readonly Step[] | null>(MAX_SITES);
  /** The site of the last URL, for example `https://example.org/`. */
  #lastSite = '/';
  #lastSteps: readonly Step[] | null = null;

  constructor(config: UrlRulesConfig, scope: Scope) {
    this.#scope = scope;
    this.#rules = [...(config.rules ?? []).map(compileRule), ...(config.lists ?? []).map(ignoreList)];
    this.#maxUrlLength = config.maxUrlLength ?? Number.POSITIVE_INFINITY;
    this.#maxDepth = config.maxDepth ?? Number.POSITIVE_INFINITY;
  }

  decide(url: CanonicalUrl, depth: number): UrlDecision {
    const steps = url.startsWith(this.#lastSite) ? this.#lastSteps : this.#enterSite(url);
    if (steps === null) return { verb: 'ignore', rule: 'scope', url };
    if (depth > this.#maxDepth) return { verb: 'ignore', rule: 'maxDepth', url };
    let current = url;
    for (const { rule, tests } of steps) {
      if (!tests.every((holds) => holds(current, depth))) continue;
      if (rule.handleQuery !== null) current = withQuery(current, rule.handleQuery);
      if (rule.verb !== null) return this.#bounded(rule.verb, rule.name, current);
    }
    return this.#bounded('index', 'default', current);
  }

  /** Checks the length last, after all rules that may shorten the URL. */
  #bounded(verb: UrlVerb, rule: string, url: CanonicalUrl): UrlDecision {
    if (url.length > this.#maxUrlLength) return { verb: 'ignore', rule: 'maxUrlLength', url };
    return { verb, rule, url };
  }

  #enterSite(url: CanonicalUrl): readonly Step[] | null {
    const origin = originOf(url);
    const steps = this.#steps.remember(origin, () => (this.#scope.includes(url) ? this.#stepsOf(url) : null));
    this.#lastSite = `${origin}/`;
    this.#lastSteps = steps;
    return steps;
  }

  #stepsOf(url: CanonicalUrl): Step[] {
    const site = siteOf(url);
    const steps: Step[] = [];
    for (const rule of this.#rules) {
      const answers = rule.conditions.map((condition) => condition(site));
      if (answers.includes(false)) continue;
      const tests = answers.filter((answer) => typeof answer === 'function');
      steps.push({ rule, tests });
      if (tests.length === 0 && rule.verb !== null) break;
    }
    return steps;
  }
}

function compileRule(rule: UrlRule): Rule {
  const handleQuery = rule.query ? queryHandler(rule.query) : null;
  return { name: rule.name, verb: rule.verb, conditions: conditionsOf(rule), handleQuery };
}

function ignoreList(name: string): Rule {
  return { name: `list ${name}`, verb: 'ignore', conditions: [listed([name])], handleQuery: null };
}

function withQuery(url: CanonicalUrl, handle: (query: string) => string): CanonicalUrl {
  const mark = url.indexOf('?', url.length - pathOf(url).length);
  if (mark < 0) return url;
  const query = handle(url.slice(mark + 1));
  return (query === '' ? url.slice(0, mark) : `${url.slice(0, mark)}?${query}`) as CanonicalUrl;
}
