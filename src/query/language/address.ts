/** Reads URLs as users type them: often without the scheme, `www.` or the trailing slash. */
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';

export interface Address {
  /** The canonical form of the typed URL. If no scheme was typed, there are two: one with http and one with https. */
  typed: readonly CanonicalUrl[];
  /**
   * Other URLs that the user may have meant: with the other scheme, with or without `www.`, with or without a
   * trailing slash.
   */
  others: readonly CanonicalUrl[];
}

/** Reads a URL that a user typed, such as `example.org/docs`. Returns null if the text cannot be a URL. */
export function addressOf(value: string): Address | null {
  if (value === '') return null;
  const written = value.includes('://') ? [value] : [`https://${value}`, `http://${value}`];
  const typed = canonical(written);
  if (typed.length === 0) return null;
  const all: string[] = [...typed];
  for (const change of [otherScheme, otherName, otherEnd]) all.push(...all.map(change));
  return { typed, others: canonical(all).filter((url) => !typed.includes(url)) };
}

function canonical(urls: readonly string[]): CanonicalUrl[] {
  return [...new Set(urls.map((url) => canonicalize(url)))].filter((url) => url !== null);
}

function otherScheme(url: string): string {
  return url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:');
}

function otherName(url: string): string {
  return url.includes('://www.') ? url.replace('://www.', '://') : url.replace('://', '://www.');
}

function otherEnd(url: string): string {
  if (url.includes('?')) return url;
  return url.endsWith('/') ? url.slice(0, -1) : `${url}/`;
}
