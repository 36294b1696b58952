/**
 * Collections: names that the operator gives to seeds, so that searches and exports can be limited to their pages.
 *
 * A page is in a collection if its URL is in the area of one of the collection's seeds:
 *
 *   domain   every host of the seed's registrable domain
 *   host     the host of the seed
 *   prefix   URLs that begin like the seed, up to the last slash of its path
 *
 * The result depends only on the URL. Therefore it is the same in every crawl, on every node and after a rebuild,
 * whatever link led to the page.
 */
import { type CanonicalUrl, hostOf, registrableDomain } from '../url/mod.ts';

export const COLLECTION_AREAS = ['domain', 'host', 'prefix'] as const;
export type CollectionArea = (typeof COLLECTION_AREAS)[number];

/** One seed of a collection. */
export interface CollectionSeed {
  name: string;
  seed: CanonicalUrl;
  area: CollectionArea;
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** Normalises the name of a collection: lower case. Returns null if it is not a name. */
export function readCollectionName(text: string): string | null {
  const name = text.trim().toLowerCase();
  return NAME.test(name) ? name : null;
}

/** Returns a function that finds the collections of a URL, in alphabetical order. */
export function collectionFinder(seeds: readonly CollectionSeed[]): (url: CanonicalUrl) => string[] {
  const inUnit = Map.groupBy(
    seeds.filter(({ area }) => area !== 'prefix'),
    ({ seed, area }) => unitOf(seed, area),
  );
  const below = Map.groupBy(
    seeds.filter(({ area }) => area === 'prefix'),
    ({ seed }) => hostOf(seed),
  );
  return (url) => {
    const host = hostOf(url);
    const names = [
      ...(inUnit.get(unitOf(url, 'host')) ?? []),
      ...(inUnit.get(unitOf(url, 'domain')) ?? []),
      ...(below.get(host) ?? []).filter(({ seed }) => url.startsWith(prefixOf(seed))),
    ].map(({ name }) => name);
    return names.length === 0 ? names : [...new Set(names)].sort();
  };
}

function unitOf(url: CanonicalUrl, area: CollectionArea): string {
  return area === 'host' ? `host ${hostOf(url)}` : `domain ${registrableDomain(hostOf(url))}`;
}

/** Returns the URL of the directory that contains the seed: `https://a.org/docs/` for `https://a.org/docs/index.html`. */
function prefixOf(seed: CanonicalUrl): string {
  const [path] = seed.split('?', 1);
  return path!.slice(0, path!.lastIndexOf('/') + 1);
}
