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

/** The host's response to a URL that cannot exist. */
export type MissingProbe =
  | { kind: 'honest' }
  | { kind: 'redirect'; to: CanonicalUrl }
  | { kind: 'page'; title: string; bins: Uint8Array }
  /** The same page for every URL, including the front page. */
  | { kind: 'one-page' };

/** A fetched page of the host. */
interface Shown {
  url: CanonicalUrl;
  title: string;
  sketch: Pick<Sketch, 'bins' | 'shingleCount'>;
}

const LETTERS = 'bcdfghjklmnpqrstvwxz';
const ALIKE = 0.8;
/**
 * Required similarity if the title says that the page is missing. It is lower, because such a page may repeat
 * the URL or suggest other pages.
 */
const ALIKE_WITH_TITLE = 0.5;
const APOLOGY =
  /\b(?:404|410|not found|no longer (?:available|exists)|does ?n[o']t exist|nicht gefunden|introuvable|no encontrad[ao]|non trovat[ao]|não encontrad[ao]|niet gevonden|не найден[ао]?)|未找到|見つかりません/iu;

/** Returns a URL on this host that does not exist. */
export function missingUrl(origin: string, random: Random): CanonicalUrl {
  const name = Array.from({ length: 16 }, () => random.pick([...LETTERS])).join('');
  return `${origin}/${name}` as CanonicalUrl;
}

/** Returns true if a title says that there is no page. */
export function apologises(title: string): boolean {
  return APOLOGY.test(title);
}

/** Returns the probe result of a host that responded with a page; `home` is its front page, if known. */
export function probeOfPage(shown: Omit<Shown, 'url'>, home: Omit<Shown, 'url'> | null): MissingProbe {
  if (home && isAlike(shown, home, ALIKE)) return { kind: 'one-page' };
  return { kind: 'page', title: shown.title, bins: shown.sketch.bins };
}

/** Returns true if a page with status 200 is the host's page for missing URLs. The front page never is. */
export function isSoft404(probe: MissingProbe, shown: Shown): boolean {
  if (probe.kind !== 'page' || pathOf(shown.url) === '/') return false;
  const saysSo = apologises(shown.title) && shown.title === probe.title;
  if (shown.sketch.shingleCount === 0) return saysSo;
  return similarity(probe.bins, shown.sketch.bins) >= (saysSo ? ALIKE_WITH_TITLE : ALIKE);
}

/** Returns true if a redirect is the host's response for missing URLs. */
export function isSoft404Redirect(probe: MissingProbe, url: CanonicalUrl, to: CanonicalUrl): boolean {
  if (probe.kind !== 'redirect' || to !== probe.to) return false;
  const hasDirectory = pathOf(url).split('?', 1)[0]!.replace(/\/$/, '').includes('/', 1);
  return hasDirectory || originOf(url) !== originOf(to) || pathOf(to) !== '/';
}

/** Encodes the result as JSON, for a text column of the state. */
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
