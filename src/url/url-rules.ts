/**
 * Applies the operator's URL rules to a URL. Seeds, links, redirects and sitemap URLs all pass through the same
 * function.
 *
 *   index    fetch it, follow its links, index it (the default)
 *   follow   fetch it and follow its links, but leave it out of the index
 *   ignore   never fetch it
 *
 * The checks run in this order, and the first that applies decides: the scope, the maximum length and depth,
 * the block lists, the rules in order. A rule applies when all its conditions hold; a condition with several
 * values holds if one of them does. A rule without a verb only changes the query; the rules after it are
 * applied to the changed URL.
 *
 * A page has about fifty links, most of them to one site. Therefore everything that depends only on the site
 * (scope, host, domain, lists of domains) is evaluated once per site and cached.
 */
import { BoundedCache, sha1Base32 } from '../base/mod.ts';
import type { CanonicalUrl } from './canonical.ts';
import { originOf, pathOf } from './parts.ts';
import { type QueryHandling, queryHandler } from './query-parameters.ts';
import { createScope, type Scope, type ScopeMode } from './scope.ts';
import { conditionsOf, listed, type PageTest, type SiteTest, siteOf } from './url-conditions.ts';
import { readListText } from './url-list.ts';

export type UrlVerb = 'index' | 'follow' | 'ignore';

/** A URL rule as plain data, as returned by `parseUrlRules`, so that it can be sent to another thread. */
export interface UrlRule {
  /** The name that the operator gave to the rule, or `rule 3` by its number. */
  readonly name: string;
  /** The verb of the rule; null if the rule only changes the query. */
  readonly verb: UrlVerb | null;
  /** A condition: the host of the URL is one of these, with or without a port (`localhost:8090`). */
  readonly host?: readonly string[];
  /** A condition: the host is one of these domains or a host below one of them. */
  readonly domain?: readonly string[];
  /** A condition: the host name ends in one of these, such as the country domains `de` and `co.uk`. */
  readonly suffix?: readonly string[];
  /** A condition: the URL declares one of these languages; `*` is any language. */
  readonly language?: readonly string[];
  /**
   * A condition: the URL begins with one of these prefixes (`https://example.org/a`, `example.org/a`), or its
   * path does (`/a`).
   */
  readonly prefix?: readonly string[];
  /** A condition: one of these regular expressions matches the URL; see `linear-pattern.ts`. */
  readonly pattern?: readonly string[];
  /** A condition: the file name in the URL has one of these extensions, written without the dot. */
  readonly extension?: readonly string[];
  /** A condition: the host, path or query has one of these whole words. */
  readonly word?: readonly string[];
  /** A condition: the URL is on one of these lists, which are names of shipped lists or paths of files. */
  readonly list?: readonly string[];
  /** A condition: the URL has more characters than this. */
  readonly longerThan?: number;
  /** A condition: the URL is more than this number of links away from a seed. */
  readonly deeperThan?: number;
  readonly query?: QueryHandling;
}

export interface UrlRulesConfig {
  readonly rules?: readonly UrlRule[];
  /** The lists of URLs to ignore, whatever the rules say. A rule with the condition `list` permits exceptions. */
  readonly lists?: readonly string[];
  readonly maxUrlLength?: number;
  /** The maximum number of links between a seed and a URL. */
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
  /** Decides about a URL. `depth` is the number of links between a seed and this URL. */
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

/**
 * The version of this code. Increase it whenever the same rules may give a different decision about a URL than
 * before.
 */
const RULES_VERSION = 2;

/**
 * Returns a key of a plan. Two plans that may decide differently have different keys, even if only the contents
 * of their lists differ.
 */
export function keyOfPlan(plan: UrlRulesPlan): string {
  const { rules = [], lists = [] } = plan.config;
  const names = new Set([...lists, ...rules.flatMap(({ list = [] }) => list)]);
  return sha1Base32(Buffer.from(JSON.stringify([RULES_VERSION, plan, Array.from(names, readListText)])));
}

/** Creates URL rules. Throws a UsageError if a list cannot be read or a pattern is invalid. */
export function createUrlRules(config: UrlRulesConfig, scope: Scope): UrlRules {
  return new SiteRules(config, scope);
}

interface Rule {
  readonly name: string;
  readonly verb: UrlVerb | null;
  readonly conditions: readonly SiteTest[];
  readonly handleQuery: ((query: string) => string) | null;
}

/**
 * A rule prepared for one site. It has only the conditions that must be tested for each URL; the conditions on
 * the site have already been tested and hold.
 */
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
  /** The prepared rules by origin; null for an origin that is out of scope. */
  readonly #steps = BoundedCache.clearedWhenFull<string, readonly Step[] | null>(MAX_SITES);
  /** The scheme and host of the last URL, for example `https://example.org/`. */
  #lastSite = '/';
  #lastSteps: readonly Step[] | null = null;

  constructor(config: UrlRulesConfig, scope: Scope) {
    this.#scope = scope;
    this.#rules = [...(config.lists ?? []).map(ignoreList), ...(config.rules ?? []).map(compileRule)];
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

  /** Checks the maximum length of a URL last, after all rules that may shorten it. */
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
