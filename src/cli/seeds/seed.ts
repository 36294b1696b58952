/**
 * A seed with its options, written in one line:
 *
 *   https://jobs.example.org/ collection=jobs,work area=host   # comment
 */
import { UsageError } from '../../base/mod.ts';
import {
  COLLECTION_AREAS,
  type CollectionArea,
  type CollectionSeed,
  readCollectionName,
} from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import type { DataSettings } from '../data-directory.ts';

export interface Seed {
  url: CanonicalUrl;
  /** The collections that get the pages of this seed. */
  collections: readonly string[];
  /** The pages that belong to this seed. */
  area: CollectionArea;
}

/** Parses seeds as people write them: `example.org` means `https://example.org/`. */
export function readSeeds(args: readonly string[]): Seed[] {
  return args.map((arg) => ({ url: readSeedUrl(arg), collections: [], area: 'domain' }));
}

/** Parses a line of a seed file that has a seed. Throws a UsageError that says what is wrong with it. */
export function readSeedLine(line: string): Seed {
  const [address = '', ...options] = line
    .replace(/(?:^|\s)#.*$/, '')
    .trim()
    .split(/\s+/);
  const seed: Seed = { url: readSeedUrl(address), collections: [], area: 'domain' };
  for (const option of options) readOption(option, seed);
  return seed;
}

function readOption(option: string, seed: Seed): void {
  const [, name, value = ''] = /^([a-z]+)=(.*)$/i.exec(option) ?? [];
  if (name === 'collection') seed.collections = value.split(',').map(readName);
  else if (name === 'area' && COLLECTION_AREAS.includes(value as CollectionArea))
    seed.area = value as CollectionArea;
  else
    throw new UsageError(
      'bad-seed',
      `"${option}" is not an option of a seed; write collection=NAME or area=${COLLECTION_AREAS.join('|')}`,
    );
}

/** Parses the name of a collection. Throws a UsageError if the text is not a valid name. */
export function readName(text: string): string {
  const name = readCollectionName(text);
  if (name !== null) return name;
  throw new UsageError(
    'bad-seed',
    `"${text}" is not the name of a collection; write up to 40 letters, digits, "-" and "_"`,
  );
}

function readSeedUrl(text: string): CanonicalUrl {
  // In `localhost:8080`, the text before the colon is a host name, not a scheme.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d+(?:\/|$))/i.test(text);
  const url = canonicalize(hasScheme ? text : `https://${text}`);
  if (url && (!hasScheme || /^https?:\/\//i.test(text))) return url;
  throw new UsageError('bad-seed', `"${text}" is not a web address; write it like https://example.org/`);
}

export function seedUrls(seeds: readonly Seed[]): CanonicalUrl[] {
  return seeds.map(({ url }) => url);
}

export function collectionSeedsOf(seeds: readonly Seed[]): CollectionSeed[] {
  return seeds.flatMap(({ url, collections, area }) =>
    collections.map((name) => ({ name, seed: url, area })),
  );
}

/**
 * Returns the settings of a data directory with these seeds added and with this contact. If a seed has options,
 * they replace the options that it had before.
 */
export function withSeeds(settings: DataSettings, seeds: readonly Seed[], contact: string): DataSettings {
  const { collections = [] } = settings;
  const given = collectionSeedsOf(seeds);
  const kept = collections.filter(({ seed }) => !given.some((changed) => changed.seed === seed));
  return {
    ...settings,
    seeds: [...new Set([...settings.seeds, ...seedUrls(seeds)])],
    ...(kept.length + given.length > 0 && { collections: [...kept, ...given] }),
    contact: contact === '' ? settings.contact : contact,
  };
}
