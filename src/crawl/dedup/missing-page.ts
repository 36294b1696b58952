/**
 * What a host shows for an address that does not exist, and which of its pages are just that: soft 404s.
 *
 * A host is asked once for an address that nobody can have. An honest one answers 404 or 410, and then
 * every 200 of it is a page. Another one answers with a page that says sorry, or sends the visitor to
 * its front page; from then on, what looks or moves like that answer is missing, too.
 *
 * The answer may also be the front page itself: a host that shows one page whatever is asked cannot be
 * judged in this way, and is left to the duplicate check and to parked.ts.
 *
 * Who asks, and when, is for the visitor to say: once a host is worth it, after some pages, and again
 * after weeks. The address obeys robots.txt like any other.
 */
import type { Random } from '../../base/mod.ts';
import { type CanonicalUrl, originOf, pathOf } from '../../url/mod.ts';
import { type Sketch, similarity } from './sketch.ts';

/** What the host did when it was asked for a page that cannot exist. */
export type MissingProbe =
  | { kind: 'honest' }
  | { kind: 'redirect'; to: CanonicalUrl }
  | { kind: 'page'; title: string; bins: Uint8Array }
  /** One page for every address, the front page too. */
  | { kind: 'one-page' };

/** What a visit to a page of the host gave. */
export interface Shown {
  url: CanonicalUrl;
  title: string;
  sketch: Pick<Sketch, 'bins' | 'shingleCount'>;
}

const LETTERS = 'bcdfghjklmnpqrstvwxz';
const ALIKE = 0.8;
/** With a title that says so, less is enough: the page may repeat the address or suggest others. */
const ALIKE_WITH_TITLE = 0.5;
const APOLOGY =
  /\b(?:404|410|not found|no longer (?:available|exists)|does ?n[o']t exist|nicht gefunden|introuvable|no encontrad[ao]|non trovat[ao]|não encontrad[ao]|niet gevonden|не найден[ао]?)|未找到|見つかりません/iu;

/** An address on this host that does not exist. */
export function missingUrl(origin: string, random: Random): CanonicalUrl {
  const name = Array.from({ length: 16 }, () => random.pick([...LETTERS])).join('');
  return `${origin}/${name}` as CanonicalUrl;
}

/** Whether a title says that there is no page. */
export function apologises(title: string): boolean {
  return APOLOGY.test(title);
}

/** The probe of a host that answered with a page; `home` is its front page, if that is known. */
export function probeOfPage(shown: Omit<Shown, 'url'>, home: Omit<Shown, 'url'> | null): MissingProbe {
  if (home && isAlike(shown, home, ALIKE)) return { kind: 'one-page' };
  return { kind: 'page', title: shown.title, bins: shown.sketch.bins };
}

/** Whether a page with status 200 is what the host shows for a missing one. The front page never is. */
export function isSoft404(probe: MissingProbe, shown: Shown): boolean {
  if (probe.kind !== 'page' || pathOf(shown.url) === '/') return false;
  const saysSo = apologises(shown.title) && shown.title === probe.title;
  if (shown.sketch.shingleCount === 0) return saysSo;
  return similarity(probe.bins, shown.sketch.bins) >= (saysSo ? ALIKE_WITH_TITLE : ALIKE);
}

/** Whether a redirect is what the host does with a missing page. */
export function isSoft404Redirect(probe: MissingProbe, url: CanonicalUrl, to: CanonicalUrl): boolean {
  if (probe.kind !== 'redirect' || to !== probe.to) return false;
  const hasDirectory = pathOf(url).split('?', 1)[0]!.replace(/\/$/, '').includes('/', 1);
  return hasDirectory || originOf(url) !== originOf(to) || pathOf(to) !== '/';
}

/** For the state: JSON in a text column. */
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
