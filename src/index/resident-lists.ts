/**
 * Lists of postings in the kernel's memory, kept from query to query.
 *
 * A list comes in when a query first asks for it and stays until the memory for lists is full: then all of them go,
 * and those in use come back by themselves. That is simpler than to free single lists, leaves no holes, and
 * costs one read from the page cache per list. A list that would take more than half of the memory is not taken in.
 *
 * Beside them lie the *masks* of segments: which documents have one of some stemmings, as bits. A list that is to count for
 * those alone is searched with one.
 *
 * Maxima are computed when a list comes in, not stored: they depend on the mean length of all documents
 * and on the profile. So a change of either empties the memory.
 */
import { isAmong, type StemmingSet } from '../text/mod.ts';
import type { TermEntry } from './dictionary-format.ts';
import { KernelHeap } from './kernel-heap.ts';
import type { OpenSegment } from './open-segment.ts';
import { listBytes, loadList, loadPlaces, placesBytes, RANGE_DOCS, rangesOf } from './resident-list.ts';
import { Scratch, SearchKernel } from './search-kernel.ts';
import type { TermLists } from './term-lists.ts';

/** How documents are scored, for norms and maxima. */
export interface Scoring {
  /** Another object is another scoring. */
  profile: object;
  k1: number;
  /** The part of a term's score that depends on the document's length. */
  normOf(length: number): number;
  /** What a document's rank is worth. */
  staticOf(rank: number): number;
}

/** A segment in memory: where its columns are, see assembly/lists.ts. */
const SEGMENT_BYTES = 24;
/** Where live documents are counted in a list. */
const LIVE = 40;
/** More than what a static score loses in single precision. */
const ROUNDED_UP = 1.000001;

interface ResidentList {
  at: number;
  hasPlaces: boolean;
}

export interface ResidentSegment {
  readonly segment: OpenSegment;
  readonly at: number;
  /** Of pages and of links, by where the postings are in the file. */
  readonly lists: Map<TermLists, Map<number, ResidentList>>;
  /** Where the masks are, by the set of stemmings. */
  readonly masks: Map<StemmingSet, number>;
}

export interface WantedList {
  resident: ResidentSegment;
  /** The segment's own lists, or those of links to it. */
  from: TermLists;
  entry: TermEntry;
  withPositions: boolean;
  /** For which documents of the segment the list is to count; for all if there is none. */
  mask?: StemmingSet | null;
}

/** Runs what reads a segment, and knows what to do if that proves to be damaged. */
export type ReadingSegment = <T>(segment: OpenSegment, read: () => T) => T;

export class ResidentLists {
  readonly #kernel = new SearchKernel();
  readonly #heap = new KernelHeap(this.#kernel, Scratch.end);
  readonly #cacheBytes: number;
  #segments: ResidentSegment[] = [];
  #profile: object | null = null;
  #listsAt = Scratch.end;

  constructor(cacheBytes: number) {
    this.#cacheBytes = cacheBytes;
  }

  get kernel(): SearchKernel {
    return this.#kernel;
  }

  /** Brings the columns of these segments in, unless they are there. Lists of others go. */
  attach(segments: readonly OpenSegment[], scoring: Scoring): readonly ResidentSegment[] {
    const held = this.#segments;
    const isSame = held.length === segments.length && held.every(({ segment }, i) => segment === segments[i]);
    if (isSame && this.#profile === scoring.profile) return held;
    this.#profile = scoring.profile;
    this.#heap.releaseTo(Scratch.end);
    this.#kernel.calls.setUp(Scratch.histogram, scoring.k1);
    this.#segments = segments.map((segment) => this.#bringColumns(segment, scoring));
    this.#listsAt = this.#heap.end;
    return this.#segments;
  }

  /** The lists of these terms, all in memory at once; null if they are too long for it. */
  bring(wanted: readonly WantedList[], reading: ReadingSegment): number[] | null {
    for (let attempt = 0; attempt < 2; attempt++) {
      const lists: number[] = [];
      for (const one of wanted) {
        const at = knownList(one) ?? reading(one.resident.segment, () => this.#load(one));
        if (at === 0 || !this.#hasMask(one)) break;
        lists.push(at);
      }
      if (lists.length === wanted.length) return lists;
      this.#empty();
    }
    return null;
  }

  /** Live documents of a list in memory. */
  liveCount(list: number): number {
    return this.#kernel.read(list + LIVE);
  }

  #empty(): void {
    for (const { lists, masks } of this.#segments) {
      lists.clear();
      masks.clear();
    }
    this.#heap.releaseTo(this.#listsAt);
  }

  /** 0 if there is no room. */
  #load({ resident, from, entry, withPositions }: WantedList): number {
    const source = { kernel: this.#kernel, heap: this.#heap, segmentAt: resident.at, lists: from };
    const held = resident.lists.get(from) ?? new Map<number, ResidentList>();
    let known = held.get(entry.postingsAt);
    if (!known) {
      if (!this.#hasRoomFor(listBytes(entry, from))) return 0;
      known = { at: loadList(source, entry), hasPlaces: false };
      resident.lists.set(from, held.set(entry.postingsAt, known));
    }
    if (!withPositions || known.hasPlaces) return known.at;
    if (!this.#hasRoomFor(placesBytes(entry))) return 0;
    loadPlaces(source, entry, known.at);
    known.hasPlaces = true;
    return known.at;
  }

  /** Brings the mask of a list, if it has one; false if there is no room. */
  #hasMask({ resident, mask = null }: WantedList): boolean {
    if (mask === null || resident.masks.has(mask)) return true;
    const { docCount, table } = resident.segment.reader;
    const bytes = 8 * rangesOf(resident.segment.reader);
    if (!this.#hasRoomFor(bytes)) return false;
    const at = this.#heap.takeZeros(bytes);
    const bits = new Uint8Array(this.#kernel.buffer, at, bytes);
    for (let doc = 0; doc < docCount; doc++) {
      if (isAmong(mask, table.stemmings[doc]!)) bits[doc >> 3]! |= 1 << (doc & 7);
    }
    resident.masks.set(mask, at);
    return true;
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#heap.end + bytes <= this.#listsAt + this.#cacheBytes && bytes <= this.#cacheBytes / 2;
  }

  #bringColumns(segment: OpenSegment, scoring: Scoring): ResidentSegment {
    const { docCount, table } = segment.reader;
    const heap = this.#heap;
    const at = heap.take(SEGMENT_BYTES);
    const normsAt = heap.take(8 * docCount);
    const fingerprintsAt = heap.take(8 * docCount);
    const deletesAt = segment.hidden.size > 0 ? heap.takeZeros((docCount >> 3) + 16) : 0;
    const norms = new Float64Array(this.#kernel.buffer, normsAt, docCount);
    for (let doc = 0; doc < docCount; doc++) norms[doc] = scoring.normOf(table.lengths[doc]!);
    new BigInt64Array(this.#kernel.buffer, fingerprintsAt, docCount).set(table.fingerprints);
    if (deletesAt > 0) segment.hidden.copyTo(new Uint8Array(this.#kernel.buffer, deletesAt));
    const [staticsAt, maximaAt] = segment.ranks ? this.#bringStatics(segment.ranks, scoring) : [0, 0];
    const ranges = rangesOf(segment.reader);
    this.#kernel.write(at, [normsAt, staticsAt, fingerprintsAt, deletesAt, maximaAt, ranges]);
    return { segment, at, lists: new Map(), masks: new Map() };
  }

  /** What ranks are worth, and the most in each range. */
  #bringStatics(ranks: Float32Array, scoring: Scoring): [number, number] {
    const ranges = Math.ceil(ranks.length / RANGE_DOCS);
    const staticsAt = this.#heap.take(8 * ranks.length);
    const maximaAt = this.#heap.takeZeros(4 * ranges + 16);
    const statics = new Float64Array(this.#kernel.buffer, staticsAt, ranks.length);
    const maxima = new Float32Array(this.#kernel.buffer, maximaAt, ranges);
    for (let doc = 0; doc < ranks.length; doc++) {
      const score = scoring.staticOf(ranks[doc]!);
      const range = Math.floor(doc / RANGE_DOCS);
      statics[doc] = score;
      maxima[range] = Math.max(maxima[range]!, score * ROUNDED_UP);
    }
    return [staticsAt, maximaAt];
  }
}

/** Null if something has yet to be read. */
function knownList({ resident, from, entry, withPositions }: WantedList): number | null {
  const known = resident.lists.get(from)?.get(entry.postingsAt);
  return known && (known.hasPlaces || !withPositions) ? known.at : null;
}
