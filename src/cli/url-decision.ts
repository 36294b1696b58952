/** Decides how a crawl treats a URL, for commands that explain it: its canonical form and the rule that applies. */
import { directoryAt, UsageError } from '../base/mod.ts';
import {
  type CanonicalUrl,
  canonicalize,
  createScope,
  createUrlRules,
  fingerprint,
  hostOf,
  registrableDomain,
  type UrlRules,
  type UrlVerb,
} from '../url/mod.ts';
import { readSettings } from './data-directory.ts';
import { withinSampleWeb } from './demo.ts';
import type { Config } from './settings/mod.ts';

/** The decision of the URL rules about a URL. */
export interface UrlDecision {
  canonical: CanonicalUrl;
  host: string;
  /** The registrable domain of the URL. */
  domain: string;
  /** The fingerprint of the URL as stored in crawl.db. */
  fingerprint: string;
  verb: UrlVerb;
  rule: string;
  /** The URL to fetch: the canonical form, unless a URL rule changes its query. */
  fetched: CanonicalUrl;
}

/** Reports how a crawl treats a URL. Throws a UsageError if `raw` is not a web address. */
export function reportUrl(
  raw: string,
  base: string | undefined,
  depth: number,
  rules: UrlRules,
): UrlDecision {
  const canonical = canonicalize(raw, base);
  if (canonical === null) {
    const advice = base === undefined ? '; if it is relative, name its page with --base' : '';
    throw new UsageError('bad-url', `"${raw}" is not a web address${advice}`);
  }
  const host = hostOf(canonical);
  const { verb, rule, url: fetched } = rules.decide(canonical, depth);
  const domain = registrableDomain(host);
  return { canonical, host, domain, fingerprint: String(fingerprint(canonical)), verb, rule, fetched };
}

/**
 * Returns the URL rules of the crawl of this data directory with this configuration. Without seeds or domains, every
 * URL is in scope. The demonstration's crawl has the scope of the sample web, whatever the configuration says.
 */
export function rulesOfCrawl(config: Config): UrlRules {
  const settings = readSettings(directoryAt(config.data));
  const { crawl } = withinSampleWeb(config, settings.samplePort);
  const seeds = settings.seeds as CanonicalUrl[];
  const mode = seeds.length === 0 && crawl.domains.length === 0 ? 'web' : crawl.scope;
  return createUrlRules(crawl, createScope(mode, seeds, crawl.domains));
}
