/**
 * Finds a term in all segments of an index at once. The entries of recently used terms are cached, because most queries
 * share words with earlier ones, and because the steps of one query look up the same terms.
 */
import { BoundedCache } from '../../base/mod.ts';
import type { OpenSegment, TermEntry } from '../../index/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';

/** The dictionary entries of a term, one per segment; null for a segment without the term. */
export interface TermInSegments {
  /** The entries among the words of documents. */
  own: readonly (TermEntry | null)[];
  /** The entries among the anchor texts of documents. */
  said: readonly (TermEntry | null)[];
}

/** Deadline steps for finding a term in a dictionary: a block of 32 terms is decoded. */
const FIND_STEPS = 64;
/** The maximum number of cached terms, at about 500 bytes each. */
const MAX_TERMS = 32_768;

interface Directory {
  segments: readonly OpenSegment[];
  terms: BoundedCache<string, TermInSegments>;
}

/** By the first segment of an index. */
const directories = new WeakMap<OpenSegment, Directory>();

/** `segments` are all segments of an index: other segments would empty the cache. */
export function findInSegments(
  segments: readonly OpenSegment[],
  term: string,
  deadline: Deadline,
): TermInSegments {
  if (segments.length === 0) return NOWHERE;
  const { terms } = directoryOf(segments);
  const held = terms.get(term);
  if (held) return held;
  const own: (TermEntry | null)[] = [];
  const said: (TermEntry | null)[] = [];
  for (const segment of segments) {
    deadline.require(FIND_STEPS);
    own.push(reading(segment, () => segment.reader.findTerm(term)));
    said.push(segment.anchors && reading(segment, () => segment.anchors!.findTerm(term)));
  }
  const found = { own, said };
  terms.set(term, found);
  return found;
}

const NOWHERE: TermInSegments = { own: [], said: [] };

function directoryOf(segments: readonly OpenSegment[]): Directory {
  const known = directories.get(segments[0]!);
  if (known && areEqual(known.segments, segments)) return known;
  const directory = { segments, terms: BoundedCache.clearedWhenFull<string, TermInSegments>(MAX_TERMS) };
  directories.set(segments[0]!, directory);
  return directory;
}

function areEqual(some: readonly OpenSegment[], others: readonly OpenSegment[]): boolean {
  return (
    some === others || (some.length === others.length && some.every((segment, at) => segment === others[at]))
  );
}
