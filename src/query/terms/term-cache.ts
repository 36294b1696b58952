/** A cache of stemmed words. Pages use the same few thousand words, and stemming is expensive. */
import { BoundedCache } from '../../base/mod.ts';
import { STEMMINGS, type Stemming, termOf } from '../../text/mod.ts';

/** The maximum number of cached words per stemming, at about 100 bytes each. */
const MAX_KNOWN = 20_000;
const known = STEMMINGS.map(() => BoundedCache.clearedWhenFull<string, string>(MAX_KNOWN));

export function knownTermOf(word: string, stemming: Stemming): string {
  const terms = known[stemming]!;
  const held = terms.get(word);
  if (held !== undefined) return held;
  const term = termOf(word, stemming);
  terms.set(word, term);
  return term;
}
