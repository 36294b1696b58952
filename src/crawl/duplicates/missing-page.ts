/**
 * Learns what a host sends for a URL that does not exist, and recognizes pages that equal this response: soft
 * 404s.
 *
 * A host is probed once with a URL that cannot exist. An honest host responds with 404 or 410, and then every
 * 200 is a page. Other hosts respond with a page that says sorry, or redirect to their front page; from then
 * on, pages and redirects like that response count as missing, too.
 *
 * The response may also be the front page itself. A host that shows one page for every URL cannot be judged
 * in this way, and is left to the duplicate check and to parked.ts.
 *
 * The caller decides when to probe (`missing-pages.ts`): after some pages of a host, and again after weeks.
 * The probe URL obeys robots.txt like any other.
 */
import type { Random } from '../../base/mod.ts';
import { type Sketch, similarity } from '../../sketch/mod.ts';
import { type CanonicalUrl, originOf, pathOf } from '../../url/mod.ts';

/** Result of a probe: the host's response to a URL that cannot exist. */
export type MissingProbe =
  | { kind: 'honest' }
  | { kind: 'redirect'; to: CanonicalUrl }
  | { kind: 'page'; title: string; bins: Uint8Array }
  /** The host shows the same page for every URL, including its front page. */
  | { kind: 'one-page' };

/** A fetched page that is compared with the host's page for missing URLs. */
interface Shown {
  url: CanonicalUrl;
  title: string;
  sketch: Pick<Sketch, 'bins' | 'shingleCount'>;
}

const LETTERS = 'bcdfghjklmnpqrstvwxz';
const ALIKE = 0.8;
/**
 * Required similarity with the host's page for missing URLs if the title says that the page is missing. It is lower
 * than without such a title, because a page for missing URLs may repeat the URL or suggest other pages.
 */
const ALIKE_WITH_TITLE = 0.5;
const APOLOGY =
  /\b(?:404|410|not found|no longer (?:available|exists)|does ?n[o']t exist|nicht gefunden|introuvable|no encontrad[ao]|non trovat[ao]|não encontrad[ao]|niet gevonden|не найден[ао]?)|未找到|見つかりません/iu;

/** Returns a random URL on this host that almost certainly does not exist. */
export function missingUrl(origin: string, random: Random): CanonicalUrl {
  const name = Array.from({ length: 16 }, () => random.pick([...LETTERS])).join('');
  return `${origin}/${name}` as CanonicalUrl;
}

/** Returns true if a title says that the page does not exist, for example "Page not found". */
export function apologises(title: string): boolean {
  return APOLOGY.test(title);
}

/**
 * Returns the probe result of a host that sent a page for a URL that cannot exist. `home` is the front page of the
 * host, if it is known.
 */
export function probeOfPage(shown: Omit<Shown, 'url'>, home: Omit<Shown, 'url'> | null): MissingProbe {
  if (home && isAlike(shown, home, ALIKE)) return { kind: 'one-page' };
  return { kind: 'page', title: shown.title, bins: shown.sketch.bins };
}

/**
 * Returns true if a page with status 200 is the host's page for missing URLs. Always returns false for the front
 * page.
 */
export function isSoft404(probe: MissingProbe, shown: Shown): boolean {
  if (probe.kind !== 'page' || pathOf(shown.url) === '/') return false;
  const saysSo = apologises(shown.title) && shown.title === probe.title;
  if (shown.sketch.shingleCount === 0) return saysSo;
  return similarity(probe.bins, shown.sketch.bins) >= (saysSo ? ALIKE_WITH_TITLE : ALIKE);
}

/** Returns true if a redirect leads to the page to which the host redirects all missing URLs. */
export function isSoft404Redirect(probe: MissingProbe, url: CanonicalUrl, to: CanonicalUrl): boolean {
  if (probe.kind !== 'redirect' || to !== probe.to) return false;
  const hasDirectory = pathOf(url).split('?', 1)[0]!.replace(/\/$/, '').includes('/', 1);
  return hasDirectory || originOf(url) !== originOf(to) || pathOf(to) !== '/';
}

/** Encodes a probe result as JSON for a text column in `crawl.db`. */
export function encodeProbe(probe: MissingProbe): string {
  if (probe.kind !== 'page') return JSON.stringify(probe);
  return JSON.stringify({ ...probe, bins: Buffer.from(probe.bins).toString('base64') });
}

export function decodeProbe(json: string): MissingProbe {
  const probe = JSON.parse(json) as MissingProbe & { bins: string };
  return probe.kind === 'page' ? { ...probe, bins: Buffer.from(probe.bins, 'base64') } : probe;
}

function isAlike(one: Omit<Shown, 'url'>, other: Omit<Shown, 'url'>, least: number): boolean {
  if (one.sketch.shingleCount + other.sketch.shingleCount === 0) return one.title === other.title;
  return similarity(one.sketch.bins, other.sketch.bins) >= least;
}
