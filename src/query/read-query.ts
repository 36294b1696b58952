/** From a typed query to one in the terms of an index: what the parser, the link graph and the index make of it. */
import type { IndexReader } from '../index/mod.ts';
import { lookupsIn } from './index-lookups.ts';
import type { LinkLookup } from './lookups.ts';
import { parseQuery } from './parse.ts';
import type { Synonyms } from './synonyms/synonyms.ts';
import { frequencyIn, type TermQuery, termQueryOf } from './term-query.ts';

export function readQuery(
  text: string,
  index: IndexReader,
  links: LinkLookup | null,
  synonyms: Pick<Synonyms, 'of'> | null = null,
): TermQuery {
  const { segments, stemmings } = index;
  return termQueryOf(parseQuery(text, lookupsIn(index, links, synonyms)), {
    stemmings,
    frequencyOf: frequencyIn(segments),
    spellingsOf: (word) => index.spellingsOf(word),
  });
}
