/**
 * Finds the words of a query that name a site, such as "fontforge" for fontforge.example.
 *
 * The host name alone is not enough, because a host may be called join.example. A word names a site if the hosts
 * with this name have at least half as many documents as contain the word: pages of a site mention its name, and
 * other pages seldom do.
 */
import type { OpenSegment } from '../../index/mod.ts';
import { type Stemming, tokenize } from '../../text/mod.ts';
import { registrableDomain } from '../../url/mod.ts';
import { GENERIC_WORDS } from './function-words.ts';
import { knownTermOf } from './term-cache.ts';

/**
 * A word names a site if the number of documents on hosts with that name is at least this share of the number of
 * documents that contain the word.
 */
const NAMING_SHARE = 0.5;

export function isSiteName(siteDocs: number, docCount: number): boolean {
  return siteDocs > 0 && siteDocs >= NAMING_SHARE * docCount;
}

/**
 * Returns the words of a host name without `www`, generic words and the public suffix: `undici` and `nodejs` for
 * undici.nodejs.org, `django` for docs.django.org.
 */
export function nameWords(host: string): string[] {
  const domain = registrableDomain(host);
  const suffix = domain.includes('.') ? domain.slice(domain.indexOf('.')) : '';
  const words: string[] = [];
  tokenize(host.slice(0, host.length - suffix.length), (term) => words.push(term));
  const names = words.filter((word) => word !== 'www');
  const telling = names.filter((word) => !GENERIC_WORDS.has(word));
  return telling.length > 0 ? telling : names;
}

const knownSites = new WeakMap<OpenSegment, ReadonlyMap<string, number>>();

/**
 * Returns a map from the terms of host names to the number of live documents on these hosts. The words of a host
 * name are stemmed in the language of each document.
 */
export function siteDocsOf(segment: OpenSegment): ReadonlyMap<string, number> {
  const known = knownSites.get(segment);
  if (known) return known;
  const { table, docCount } = segment.reader;
  const byHost = table.hosts.map(() => new Map<Stemming, number>());
  for (let doc = 0; doc < docCount; doc++) {
    if (segment.deletes.has(doc)) continue;
    const counts = byHost[table.hostOf[doc]!]!;
    const stemming = table.stemmings[doc]! as Stemming;
    counts.set(stemming, (counts.get(stemming) ?? 0) + 1);
  }
  const sites = new Map<string, number>();
  for (const [host, counts] of byHost.entries()) {
    const words = nameWords(table.hosts[host]!);
    for (const [stemming, count] of counts)
      for (const term of new Set(words.map((word) => knownTermOf(word, stemming))))
        sites.set(term, (sites.get(term) ?? 0) + count);
  }
  knownSites.set(segment, sites);
  return sites;
}
