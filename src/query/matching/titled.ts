/**
 * Finds the documents whose whole title is the query. A title may consist of words that nearly all documents have,
 * such as "Classes: a", and then other documents have better scores in the first stage.
 */
import { Heap } from '../../base/mod.ts';
import type { DocId, OpenSegment } from '../../index/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';
import { type Condition, shownBy } from '../language/mod.ts';
import { Patience } from '../patience.ts';
import { drain, isWorse, keepBest, type Match } from './evaluate.ts';
import { matcherOf } from './matcher.ts';

/**
 * Returns at most `keep` documents with this key of their title (`titleKeyOf`), in the order of their fingerprints.
 * They must meet the requirement of the query, if it has one.
 */
export function findTitled(
  segments: readonly OpenSegment[],
  key: number,
  requirement: Condition,
  keep: number,
  deadline: Deadline,
): Match[] {
  const best = new Heap<Match>(isWorse);
  const shown = shownBy(requirement);
  for (const segment of segments) {
    const docs = docsTitled(segment, key, shown);
    if (docs.length === 0 || deadline.isLate()) continue;
    reading(segment, () => {
      const matcher = matcherOf(requirement, segment, new Patience(deadline));
      for (const doc of docs)
        if (matcher.seek(doc) === doc && matcher.confirm()) keepBest(best, { segment, doc, score: 0 }, keep);
    });
  }
  return drain(best);
}

function docsTitled(segment: OpenSegment, key: number, shown: ReturnType<typeof shownBy>): DocId[] {
  const { titleKeys } = segment.reader.table;
  const docs: DocId[] = [];
  for (let doc = titleKeys.indexOf(key); doc >= 0; doc = titleKeys.indexOf(key, doc + 1)) docs.push(doc);
  const hidden = docs.length === 0 ? null : segment.hiddenFor(shown);
  return docs.filter((doc) => !hidden!.has(doc));
}
