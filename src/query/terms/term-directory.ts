/**
 * Finds the dictionary entries of a term in all segments of an index. Recently used entries are cached, because most
 * queries share words with earlier queries, and because several steps of one query look up the same terms.
 */
import { BoundedCache } from '../../base/mod.ts';
import type { OpenSegment, TermEntry } from '../../index/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';

/** The dictionary entries of a term, one per segment. An entry is null if the segment does not have the term. */
export interface TermInSegments {
  /** The entries for the texts of documents. */
  own: readonly (TermEntry | null)[];
  /** The entries for the anchor texts of links to documents. */
  said: readonly (TermEntry | null)[];
}

/** The cost of finding a term in a dictionary, in deadline steps. The lookup decodes a block of 32 terms. */
const FIND_STEPS = 64;
/** The maximum number of cached terms, at about 500 bytes each. */
const MAX_TERMS = 32_768;

interface Directory {
  segments: readonly OpenSegment[];
  terms: BoundedCache<string, TermInSegments>;
}

/** The caches, one per index. The first segment of an index is the key. */
const directories = new WeakMap<OpenSegment, Directory>();

/**
 * Returns the dictionary entries of a term. `segments` must be all segments of an index, because another list of
 * segments empties the cache.
 */
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
