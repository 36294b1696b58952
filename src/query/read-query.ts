/**
 * Parses a typed query and translates it into the terms of an index, with help from the link graph and
 * synonyms.
 */
import type { IndexReader } from '../index/mod.ts';
import type { Synonyms } from './assistance/mod.ts';
import { type Deadline, NO_DEADLINE } from './deadline.ts';
import { type LinkLookup, parseQuery } from './language/mod.ts';
import { lookupsIn } from './matching/mod.ts';
import { frequencyIn, type TermQuery, termQueryOf } from './terms/mod.ts';

/** Deadline steps for finding the spellings of a word: ten to twenty dictionary blocks are decoded. */
const SPELLINGS_STEPS = 512;

export function readQuery(
  text: string,
  index: IndexReader,
  links: LinkLookup | null,
  synonyms: Pick<Synonyms, 'of'> | null = null,
  deadline: Deadline = NO_DEADLINE,
): TermQuery {
  const { segments, stemmings } = index;
  return termQueryOf(parseQuery(text, lookupsIn(index, links, synonyms, deadline)), {
    stemmings,
    frequencyOf: frequencyIn(segments, deadline),
    spellingsOf: (word) => {
      deadline.require(SPELLINGS_STEPS);
      return index.spellingsOf(word);
    },
  });
}
