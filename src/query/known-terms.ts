/** Terms of words that were asked for lately: pages use the same few thousand words again and again, and stemming is dear. */
import { STEMMINGS, type Stemming, termOf } from '../text/mod.ts';

/** Words per stemming, at about 100 bytes each. */
const MAX_KNOWN = 20_000;
const known = STEMMINGS.map(() => new Map<string, string>());

export function knownTermOf(word: string, stemming: Stemming): string {
  const terms = known[stemming]!;
  const held = terms.get(word);
  if (held !== undefined) return held;
  const term = termOf(word, stemming);
  if (terms.size >= MAX_KNOWN) terms.clear();
  terms.set(word, term);
  return term;
}
