/**
 * Finds the documents whose meaning is closest to the meaning of a query, even if they have none of its words.
 */
import { Heap } from '../../base/mod.ts';
import { type DocId, NO_MORE_DOCS, type OpenSegment } from '../../index/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';
import { type Condition, shownBy } from '../language/mod.ts';
import { Patience } from '../patience.ts';
import type { QueryVector } from '../terms/mod.ts';
import { drain, isWorse, keepBest, type Match } from './evaluate.ts';
import { matcherOf } from './matcher.ts';

/**
 * The minimum similarity (cosine) of a document that is found by meaning. Documents below it are about another
 * topic.
 */
const MIN_SIMILARITY = 0.35;

/**
 * Returns the `keep` documents with the greatest similarity to the query, best first. The score of a document
 * is its similarity. Documents must meet the requirement of the query, if it has one. Compares the query with
 * every vector of the index; in large segments without a requirement it compares short codes first. At the time
 * limit it returns the best documents found so far.
 */
export function findNearest(
  segments: readonly OpenSegment[],
  query: QueryVector,
  requirement: Condition,
  keep: number,
  deadline: Deadline,
): Match[] {
  const best = new Heap<Match>(isWorse);
  const unit = squareOf(query.vector);
  const shown = shownBy(requirement);
  for (const segment of segments) {
    const { vectors, reader } = segment;
    if (!fits(vectors, query) || deadline.isLate()) continue;
    const hidden = segment.hiddenFor(shown);
    const isFree = isAlwaysMet(requirement);
    const products = isFree ? vectors!.compareClosest(query.vector) : vectors!.compare(query.vector);
    const offer = (doc: DocId) => {
      const score = products[doc]! / unit;
      const isBelow = best.size === keep && score < best.peek()!.score;
      if (!isBelow && !hidden.has(doc)) keepBest(best, { segment, doc, score }, keep);
    };
    const least = MIN_SIMILARITY * unit;
    if (isFree) {
      for (let doc = 0; doc < reader.docCount; doc++) if (products[doc]! >= least) offer(doc);
    } else {
      reading(segment, () =>
        eachMatch(requirement, segment, deadline, (doc) => products[doc]! >= least && offer(doc)),
      );
    }
  }
  return drain(best);
}

/**
 * Returns the similarity of a document and the query, from -1 to 1; null if the document has no vector of this
 * model.
 */
export function similarityOf(segment: OpenSegment, doc: DocId, query: QueryVector): number | null {
  const { vectors } = segment;
  if (!fits(vectors, query) || !vectors!.has(doc)) return null;
  return vectors!.compareOne(doc, query.vector) / squareOf(query.vector);
}

function eachMatch(
  requirement: Condition,
  segment: OpenSegment,
  deadline: Deadline,
  offer: (doc: DocId) => unknown,
): void {
  const patience = new Patience(deadline);
  const matcher = matcherOf(requirement, segment, patience);
  for (let doc = matcher.seek(0); doc !== NO_MORE_DOCS && !patience.isOut; doc = matcher.seek(doc + 1))
    if (matcher.confirm() && !patience.isOut) offer(doc);
}

function fits(vectors: OpenSegment['vectors'], { model, vector }: QueryVector): boolean {
  return vectors !== null && vectors.model === model && vectors.dimension === vector.length;
}

function isAlwaysMet(requirement: Condition): boolean {
  return requirement.kind === 'and' && requirement.parts.length === 0;
}

/**
 * Returns the square of the length of a vector. All vectors have about the same length, so their dot product divided
 * by this square is about their cosine.
 */
function squareOf(vector: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  return sum;
}
