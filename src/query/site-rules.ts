/**
 * What a searcher, or the operator for all, thinks of sites.
 *
 *   block spam.example      never shown, and not counted
 *   lower noisy.example     its results score half
 *   raise docs.example      its results score half as much again
 *   pin wiki.example        its results come first
 *   normal news.example     none of these; lifts a rule of the operator, or of a name above it
 *
 * A rule holds for a host and the hosts below it; of several the one with the longest name counts. Rules come into
 * the list before it is cut into pages, so that no page is shorter than it should be and none repeats another.
 *
 * The text above is also the file that rules are taken along in: a line each, `#` begins a comment.
 */
import { readHostName } from '../url/mod.ts';

export const SITE_EFFECTS = ['block', 'lower', 'raise', 'pin', 'normal'] as const;
export type SiteEffect = (typeof SITE_EFFECTS)[number];

export interface SiteRule {
  /** A host without port. */
  site: string;
  effect: SiteEffect;
}

export interface ReadRules {
  rules: SiteRule[];
  /** One for each line that is no rule: what was expected and what came. */
  problems: { line: number; text: string }[];
}

const FACTORS: Readonly<Record<SiteEffect, number>> = { block: 0, lower: 0.5, raise: 1.5, pin: 1, normal: 1 };

/** Of two rules for one site the later holds. */
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

/** One line; null if it is no rule. */
export function parseSiteRule(line: string): SiteRule | null {
  const [effect, name, ...more] = line.trim().split(/\s+/);
  const site = more.length === 0 && name ? readSite(name) : null;
  return site && isSiteEffect(effect) ? { site, effect } : null;
}

/** `https://www.Example.org/page` and `example.org` are the same site; null for what is none. */
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

/** Both lists as one; for the same site `own` counts. */
export function joinSiteRules(defaults: readonly SiteRule[], own: readonly SiteRule[]): SiteRule[] {
  return [...new Map([...defaults, ...own].map((rule) => [rule.site, rule])).values()];
}

/** The rules as a function of the host. */
export class SiteJudge {
  readonly #effects: ReadonlyMap<string, SiteEffect>;
  readonly #known = new Map<string, SiteEffect>();

  constructor(rules: readonly SiteRule[]) {
    this.#effects = new Map(rules.map(({ site, effect }) => [site, effect]));
  }

  /** Sites that may hold such hosts. */
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

/**
 * The list as the rules want it: what is pinned, then the others by score times factor. Both are looked for in the
 * first `ranked` results and in `pinned`, results of pinned sites that may stand further down; what follows keeps
 * its order, so that a deeper look at the list never changes what stood above.
 */
export function orderByRules<Result extends { score: number }>(
  list: readonly Result[],
  pinned: readonly Result[],
  ranked: number,
  judge: SiteJudge,
  hostOf: (result: Result) => string,
  isSame: (a: Result, b: Result) => boolean,
): Result[] {
  const isPinned = (result: Result) => judge.effectOn(hostOf(result)) === 'pin';
  const first = pinned.filter(isPinned);
  const isTaken = (result: Result) => isPinned(result) && first.some((each) => isSame(each, result));
  const head = list.slice(0, ranked).filter((result) => !isTaken(result));
  const tail = list.slice(ranked).filter((result) => !isTaken(result));
  const weighed = head.map((result) => ({
    ...result,
    score: result.score * FACTORS[judge.effectOn(hostOf(result))],
  }));
  return [...first, ...weighed.sort((a, b) => b.score - a.score), ...tail];
}
