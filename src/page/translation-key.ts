/**
 * Computes the key by which results find the translations of a page: pages with the same key in different languages have
 * the same content.
 *
 *   hreflang   the page lists its translations: the first of these URLs in alphabetical order, which is the same for all
 *   URL        without the codes of languages: `/de/start`, `/en/start` and `/start` give `/start`
 */
import { crc32 } from 'node:zlib';
import { type CanonicalUrl, withoutLanguage } from '../url/mod.ts';
import type { Page } from './page.ts';

/** A list of translations has at least this number of URLs. */
const LEAST_LISTED = 2;

export function translationKeyOf(url: CanonicalUrl, { alternates = [] }: Pick<Page, 'alternates'>): number {
  const listed = alternates.filter(({ language }) => language !== undefined).map((one) => one.url);
  const all = new Set([...listed, url]);
  const shared = all.size < LEAST_LISTED ? withoutLanguage(url) : [...all].sort()[0]!;
  return crc32(shared) || 1;
}
