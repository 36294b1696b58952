/**
 * Makes the index lookups that parsing a query needs, on all shards: words by prefix, documents by URL, and the most
 * characteristic words of a page. This happens before parsing, because the parser is synchronous.
 */
import { inverseDocumentFrequency } from '../../scoring/mod.ts';
import { ALL_STEMMINGS, DEFAULT_STEMMING } from '../../text/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { Synonyms } from '../assistance/mod.ts';
import {
  knownOf,
  type LinkLookup,
  type PrefixLookup,
  type QueryLookups,
  type TokenizedQuery,
} from '../language/mod.ts';
import type { PageTerms, WordsReply } from '../shard/mod.ts';
import { knownTermOf, type QueryVector } from '../terms/mod.ts';
import type { ShardGroup } from './shard-group.ts';

/** The link graph and the synonyms, which a query can use besides the index. */
export interface QuerySources {
  links: LinkLookup | null;
  synonyms: Pick<Synonyms, 'of'> | null;
}

/** The number of words of a page for which `related:` searches. */
const CONTENT_WORDS = 16;
/** The cost of reading one link to a page, in deadline steps. */
const LINK_STEPS = 8;
/**
 * If there are several shards, each shard returns up to this many times as many words with a prefix as are needed,
 * because a word that is common in the whole index may be rare in a shard. The result is exact if no shard has more
 * words with the prefix than it returns.
 */
const PREFIX_WORDS_FACTOR = 16;

/** The results of all lookups that the query parser needs, and the vector of the page whose URL follows `related:`. */
interface GatheredLookups {
  lookups: QueryLookups;
  /** The vector of the page whose URL follows `related:`; null if it has none, or if the query names several pages. */
  relatedTo: QueryVector | null;
}

/**
 * Looks up the words and pages that the query needs in all shards. Returns functions with which the parser reads the
 * results.
 */
export async function gatherLookups(
  { needed }: Pick<TokenizedQuery, 'needed'>,
  group: ShardGroup,
  { links, synonyms }: QuerySources,
): Promise<GatheredLookups> {
  const urls = needed.addresses.flatMap(({ typed, others }) => [...typed, ...others]);
  const [words, live, joined] = await Promise.all([
    wordsByPrefix(group, needed.prefixes),
    liveAmong(group, urls),
    knownWords(group, needed.joined),
  ]);
  const documentOf = (url: CanonicalUrl) => (live.has(url) ? url : (links?.documentOf(url) ?? null));
  const pages = needed.related.flatMap((address) => knownOf(address, { documentOf }));
  const related = await readRelatedPages(group, [...new Set(pages)]);
  const { deadline } = group;
  const lookups: QueryLookups = {
    hasLinks: links?.hasLinks ?? false,
    wordsBeginning: (prefix, limit) => (words.get(prefix) ?? []).slice(0, limit),
    hasWord: (word) => joined.has(word),
    synonymsOf: (word) => synonyms?.of(word) ?? [],
    linksTo: (url) => {
      const sources = links?.linksTo(url) ?? [];
      deadline.require(LINK_STEPS * (1 + sources.length));
      return sources;
    },
    documentOf,
    contentWords: (url) => related.get(url)?.words ?? [],
  };
  const [only] = related.values();
  return { lookups, relatedTo: related.size === 1 ? only!.meaning : null };
}

/**
 * Returns the elements of `words` that at least one document of the index contains. Words are stemmed by the
 * rules of the index's most common language.
 */
async function knownWords(group: ShardGroup, words: readonly string[]): Promise<ReadonlySet<string>> {
  if (words.length === 0) return new Set();
  const stemming = group.stemmings[0] ?? DEFAULT_STEMMING;
  const terms = words.map((word) => ({ term: knownTermOf(word, stemming), stemmings: ALL_STEMMINGS }));
  const limits = { inAnchors: false, includesDeleted: false, ceiling: 1 };
  const replies = await group.ask((shard, request) => shard.countDocuments({ ...request, ...limits, terms }));
  return new Set(words.filter((_, at) => replies.some(({ own }) => own[at]! > 0)));
}

async function wordsByPrefix(
  group: ShardGroup,
  lookups: readonly PrefixLookup[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (lookups.length === 0) return new Map();
  const factor = group.count > 1 ? PREFIX_WORDS_FACTOR : 1;
  const prefixes = lookups.map((lookup) => ({ ...lookup, limit: factor * lookup.limit }));
  const replies = await group.ask((shard, request) =>
    shard.lookUpWords({ ...request, prefixes, spelled: [] }),
  );
  return new Map(
    lookups.map(({ prefix }, at) => [prefix, mostCommon(replies.map((reply) => reply.prefixes[at]!))]),
  );
}

/**
 * Merges the words with a prefix that the shards returned, most common words first. The list of a single shard is
 * returned unchanged.
 */
function mostCommon(lists: readonly WordsReply['prefixes'][number][]): string[] {
  if (lists.length === 1) return lists[0]!.map(({ word }) => word);
  const counts = new Map<string, number>();
  for (const { word, docCount } of lists.flat()) counts.set(word, (counts.get(word) ?? 0) + docCount);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
}

async function liveAmong(
  group: ShardGroup,
  urls: readonly CanonicalUrl[],
): Promise<ReadonlySet<CanonicalUrl>> {
  if (urls.length === 0) return new Set();
  const fingerprints = urls.map(fingerprint);
  const replies = await group.ask((shard, request) => shard.locate({ ...request, fingerprints }));
  return new Set(urls.filter((_, at) => replies.some((docs) => docs[at] !== null)));
}

/**
 * Returns, for each page that the query names after `related:`, its most characteristic words, best first, and
 * its vector.
 */
async function readRelatedPages(
  group: ShardGroup,
  urls: readonly CanonicalUrl[],
): Promise<ReadonlyMap<CanonicalUrl, { words: readonly string[]; meaning: QueryVector | null }>> {
  const pages = new Map<CanonicalUrl, { words: readonly string[]; meaning: QueryVector | null }>();
  if (urls.length === 0) return pages;
  const fingerprints = urls.map(fingerprint);
  const replies = await group.ask((shard, request) => shard.readPages({ ...request, fingerprints }));
  for (const [at, url] of urls.entries()) {
    const page = replies.map((reply) => reply[at]!).find((one) => one !== null);
    if (page) pages.set(url, { words: await characteristicWords(group, page), meaning: page.meaning });
  }
  return pages;
}

/**
 * Returns the most characteristic words of a page: the words with the greatest product of frequency in the page
 * and IDF. Words that occur only in this page are left out.
 */
async function characteristicWords(
  group: ShardGroup,
  { terms, words, counts }: PageTerms,
): Promise<string[]> {
  const docCount = group.states.reduce((sum, { indexedDocs }) => sum + indexedDocs, 0);
  const wanted = terms.map((term) => ({ term, stemmings: ALL_STEMMINGS }));
  const limits = { inAnchors: false, includesDeleted: true, ceiling: Number.POSITIVE_INFINITY };
  const replies = await group.ask((shard, request) =>
    shard.countDocuments({ ...request, ...limits, terms: wanted }),
  );
  const scored = words.flatMap((word, at) => {
    const docsWith = replies.reduce((sum, { own }) => sum + own[at]!, 0);
    if (docsWith < 2) return [];
    return [{ word, score: (1 + Math.log(counts[at]!)) * inverseDocumentFrequency(docCount, docsWith) }];
  });
  scored.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1));
  return scored.slice(0, CONTENT_WORDS).map(({ word }) => word);
}
