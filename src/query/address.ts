/** Addresses as people type them, who leave out what they do not see: the scheme, `www.`, the slash at the end. */
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

export interface Address {
  /** What it says; without a scheme, it may be either. */
  typed: readonly CanonicalUrl[];
  /** What else may be meant: the other scheme, with or without `www.`, with or without a slash at the end. */
  others: readonly CanonicalUrl[];
}

/** Null if this can be no address. */
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
