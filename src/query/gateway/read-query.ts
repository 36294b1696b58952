/**
 * Parses a typed query and translates it to the terms of the index. Uses lookups in all shards, the link graph and
 * synonyms.
 *
 *   tokens -> words by prefix, pages -> parse -> spellings, languages -> terms
 *
 * The words of all shards are merged before they are used, so the query has the same terms for any number of shards.
 */

import type { StemmingSet } from '../../text/mod.ts';
import { parseTokens, type TokenizedQuery, type Variant } from '../language/mod.ts';
import { languageTermsOf, type TermQuery, termQueryOf, wordsOf } from '../terms/mod.ts';
import { gatherLookups, type QuerySources } from './gather-lookups.ts';
import type { ShardGroup } from './shard-group.ts';

export async function readQuery(
  query: TokenizedQuery,
  group: ShardGroup,
  sources: QuerySources,
  preferredLanguage = '',
): Promise<TermQuery> {
  const { lookups, relatedTo } = await gatherLookups(query, group, sources);
  const parsed = parseTokens(query, lookups);
  const { docCounts } = group;
  const spelled = [...wordsOf(parsed)];
  const terms = languageTermsOf(parsed, [...docCounts.keys()]);
  // Both go to the shards at the same moment: a step costs a remote shard one way there and back.
  const [spellings, frequencies] = await Promise.all([
    spellingsOf(group, spelled),
    frequenciesOf(group, terms),
  ]);
  const index = {
    docCounts,
    frequencyOf: (term: string, stemming: StemmingSet) => frequencies.get(keyOf(term, stemming)) ?? 0,
    spellingsOf: (word: string) => spellings.get(word) ?? [],
  };
  const read = termQueryOf(parsed, index, preferredLanguage);
  return relatedTo ? { ...read, relatedTo } : read;
}

async function spellingsOf(
  group: ShardGroup,
  spelled: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (spelled.length === 0) return new Map();
  const replies = await group.ask((shard, request) =>
    shard.lookUpWords({ ...request, prefixes: [], spelled }),
  );
  return new Map(
    spelled.map((word, at) => {
      const all = new Set(replies.flatMap(({ spellings }) => spellings[at]!));
      return [word, all.size > 1 ? [...all].sort() : [...all]];
    }),
  );
}

async function frequenciesOf(
  group: ShardGroup,
  terms: readonly Variant[],
): Promise<ReadonlyMap<string, number>> {
  if (terms.length === 0) return new Map();
  const ceiling = Number.POSITIVE_INFINITY;
  const replies = await group.ask((shard, request) =>
    shard.countDocuments({ ...request, terms, inAnchors: true, includesDeleted: false, ceiling }),
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return new Map(
    terms.map(({ term, stemmings }, at) => {
      const own = sum(replies.map((reply) => reply.own[at]!));
      const said = sum(replies.map((reply) => reply.said[at]!));
      return [keyOf(term, stemmings), Math.max(own, said)];
    }),
  );
}

function keyOf(term: string, stemmings: StemmingSet): string {
  return `${term} ${stemmings}`;
}
