/**
 * Detects parked domains: domains without a site that only show advertisements or an offer to sell the
 * domain.
 *
 * No single sign is enough, since pages about buying domains use the same words. A page is parked when it is
 * short and at least two different signs agree: its words, its links, and that the host shows one page for
 * every URL.
 */
import type { Page } from '../../page/mod.ts';
import { hostOf, registrableDomain } from '../../url/mod.ts';
import type { MissingProbe } from './missing-page.ts';

export type ParkedSign = 'words' | 'links';

/** Longest text of a parking page, in characters. */
const MAX_LENGTH = 4000;

const WORDS = [
  /\b(?:this|the) (?:web ?site|domain(?: name)?|page)\b.{0,60}\b(?:is|may be|could be) (?:for sale|parked|available for (?:purchase|sale))/iu,
  /\b(?:buy|purchase|acquire|inquire about|make an offer (?:on|for)) (?:this|the) domain\b/iu,
  /\bdomain (?:is )?parked\b|\bparked (?:free|domain)\b/iu,
  /\b(?:this|the) domain (?:has )?(?:recently )?expired\b|\brenew (?:this|your) domain\b/iu,
  /\bdiese domain\b.{0,40}\b(?:kaufen|zu verkaufen)|\bce (?:nom de )?domaine est (?:à vendre|en vente)|\beste dominio (?:está )?(?:en|a) venta/iu,
];

/** Registrable domains of parking services, to which parking pages link. */
const PARKING_DOMAINS: ReadonlySet<string> = new Set([
  'above.com',
  'afternic.com',
  'bodis.com',
  'brandbucket.com',
  'dan.com',
  'domainmarket.com',
  'hugedomains.com',
  'parkingcrew.net',
  'parklogic.com',
  'sedo.com',
  'sedoparking.com',
  'skenzo.com',
  'uniregistry.com',
]);

/**
 * Returns true if a page is a parking page: it needs at least two signs, one of which may be that the host shows the
 * same page for every URL.
 */
export function isParked(signs: readonly ParkedSign[], probe: MissingProbe | null = null): boolean {
  return signs.length + Number(signs.length > 0 && probe?.kind === 'one-page') >= 2;
}

type ParkedPage = Pick<Page, 'title' | 'text' | 'links'>;

/** Returns the signs on this page that its domain is parked. */
export function parkedSigns(page: ParkedPage): ParkedSign[] {
  if (page.text.length > MAX_LENGTH) return [];
  const signs: ParkedSign[] = [];
  const said = `${page.title}\n${page.text}`;
  if (WORDS.some((pattern) => pattern.test(said))) signs.push('words');
  if (page.links.some(({ url }) => PARKING_DOMAINS.has(registrableDomain(hostOf(url))))) signs.push('links');
  return signs;
}
