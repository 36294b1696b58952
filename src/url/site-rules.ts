/**
 * Rules that change how the results of a site are ranked. A visitor sets them, or the operator for all
 * visitors.
 *
 *     block spam.example      results of this site are never shown and not counted
 *   lower noisy.example     its results score half
 *   raise docs.example      its results score 1.5 times as much
 *   pin wiki.example        its results come first
 *   normal news.example     no effect; cancels a rule of the operator, or a rule for a parent domain
 *
 * A rule applies to a host and its subdomains; if several rules match, the one with the longest name applies.
 * Rules are applied before the list is cut into pages, so that no page is too short and no result is
 * repeated.
 *
 * The lines above are also the file format for exporting rules: one rule per line; `#` begins a comment.
 */
import { readHostName } from './host-name.ts';

export const SITE_EFFECTS = ['block', 'lower', 'raise', 'pin', 'normal'] as const;
export type SiteEffect = (typeof SITE_EFFECTS)[number];

export interface SiteRule {
  /** The host name of the site, without a port. */
  site: string;
  effect: SiteEffect;
}

interface ReadRules {
  rules: SiteRule[];
  /** The number and text of each invalid line. */
  problems: { line: number; text: string }[];
}

/** Parses a list of rules. If two rules are for the same site, the later one applies. */
export function parseSiteRules(text: string): ReadRules {
  const rules = new Map<string, SiteRule>();
  const problems: ReadRules['problems'] = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const content = line.replace(/^\ufeff|#.*$/g, '').trim();
    if (content === '') continue;
    const rule = parseSiteRule(content);
    if (rule) rules.set(rule.site, rule);
    else problems.push({ line: at + 1, text: content.slice(0, 80) });
  }
  return { rules: [...rules.values()], problems };
}

/** Parses one line; returns null if the line is not a rule. */
export function parseSiteRule(line: string): SiteRule | null {
  const [effect, name, ...more] = line.trim().split(/\s+/);
  const site = more.length === 0 && name ? readSite(name) : null;
  return site && isSiteEffect(effect) ? { site, effect } : null;
}

/**
 * Normalises a site: `https://www.Example.org/page` and `example.org` are the same site. Returns null if the
 * text is not a site.
 */
export function readSite(text: string): string | null {
  const name = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '');
  const host = readHostName(name)?.replace(/:\d+$/, '');
  return host ? host.replace(/^www\.(?=.*\.)/, '') : null;
}

export function isSiteEffect(text: unknown): text is SiteEffect {
  return SITE_EFFECTS.includes(text as SiteEffect);
}

export function formatSiteRules(rules: readonly SiteRule[]): string {
  return rules.map(({ site, effect }) => `${effect} ${site}\n`).join('');
}

/**
 * Merges the rules of the operator and of a visitor. If both have a rule for the same site, the rule in `own`
 * applies.
 */
export function joinSiteRules(defaults: readonly SiteRule[], own: readonly SiteRule[]): SiteRule[] {
  return [...new Map([...defaults, ...own].map((rule) => [rule.site, rule])).values()];
}

/** Finds the rule that applies to a host. */
export class SiteJudge {
  readonly #effects: ReadonlyMap<string, SiteEffect>;
  readonly #known = new Map<string, SiteEffect>();

  constructor(rules: readonly SiteRule[]) {
    this.#effects = new Map(rules.map(({ site, effect }) => [site, effect]));
  }

  sites(effect: SiteEffect): string[] {
    return [...this.#effects].flatMap(([site, each]) => (each === effect ? [site] : []));
  }

  effectOn(host: string): SiteEffect {
    const known = this.#known.get(host);
    if (known) return known;
    const effect = this.#judge(host);
    this.#known.set(host, effect);
    return effect;
  }

  blocks(host: string): boolean {
    return this.effectOn(host) === 'block';
  }

  #judge(host: string): SiteEffect {
    for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
      const effect = this.#effects.get(name);
      if (effect) return effect;
      if (!name.includes('.')) break;
    }
    return 'normal';
  }
}
