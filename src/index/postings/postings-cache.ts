/**
 * The postings cache: lists of postings in the search kernel's memory, kept from query to query.
 *
 * A list is loaded when a query first needs it and stays until the memory for lists is full. Then all lists are
 * dropped, and the next queries load the lists that they need again. This is simpler than freeing single lists,
 * does not fragment the memory, and costs one read from the page cache per list. A list that would take more
 * than half of the memory is not loaded. While the process uses too much memory, the cache frees its memory and
 * then uses at most an eighth of its limit.
 *
 * The cache also holds *masks* of segments: bitmaps of the documents whose stemming rules are in a given set,
 * such as those of English documents. A search uses a mask for a list that counts only for these documents.
 *
 * Each list has a table of maximum scores. It is computed when the list is loaded and is not stored on disk,
 * because it depends on the mean length of all documents and on the scoring profile. A change of either empties
 * the cache.
 */
import { isMemoryHigh } from '../../base/mod.ts';
import { isAmong, type StemmingSet } from '../../text/mod.ts';
import type { TermEntry } from '../dictionary/mod.ts';
import { KernelHeap, Scratch, SearchKernel } from '../kernels/mod.ts';
import type { OpenSegment } from '../open-segment.ts';
import { listBytes, loadList, loadPlaces, placesBytes, RANGE_DOCS, rangesOf } from './postings-load.ts';
import type { TermLists } from './term-lists.ts';

/** The scoring functions that the cache needs to compute norms and maximum scores. */
interface Scoring {
  /**
   * The scoring profile. It is compared by identity: another object means that all scores must be computed
   * again.
   */
  profile: object;
  k1: number;
  /**
   * Returns the norm of a document: the part of a term's BM25 score that depends on the length of the document.
   */
  normOf(length: number): number;
  /** Returns the static score of a document, which does not depend on the query. */
  staticOf(rank: number, isEntry: boolean, urlDepth: number): number;
}

/**
 * The size in bytes of a segment's structure in the kernel's memory, the addresses of its columns; see
 * assembly/lists.ts.
 */
const SEGMENT_BYTES = 24;
/** Byte offset of a value in the structure of a postings list: the number of live documents in the list. */
const LIVE = 40;
/**
 * The maximum static scores are multiplied by this factor, so that rounding to single precision does not make
 * them too low.
 */
const ROUNDED_UP = 1.000001;

/** While the process uses too much memory, the limit of the cache is divided by this number. */
const HIGH_DIVISOR = 8;

interface ResidentList {
  at: number;
  hasPlaces: boolean;
}

export interface ResidentSegment {
  readonly segment: OpenSegment;
  readonly at: number;
  /**
   * The addresses of the loaded postings lists. The outer key is the source: page texts or anchor texts. The
   * inner key is the file offset of the postings.
   */
  readonly lists: Map<TermLists, Map<number, ResidentList>>;
  /** For each set of stemmings whose mask is loaded, the address of the mask. */
  readonly masks: Map<StemmingSet, number>;
}

export interface WantedList {
  resident: ResidentSegment;
  /**
   * The source of the postings list: the texts of the segment's pages, or the anchor texts of links to them.
   */
  from: TermLists;
  entry: TermEntry;
  withPositions: boolean;
  /**
   * If present, the postings list is used only for documents with one of these stemmings; otherwise for all
   * documents.
   */
  mask?: StemmingSet | null;
}

/** Runs a function that reads a segment, and handles the error if the segment turns out to be damaged. */
type ReadingSegment = <T>(segment: OpenSegment, read: () => T) => T;

export class ResidentLists {
  #kernel = new SearchKernel();
  #heap = new KernelHeap(this.#kernel, Scratch.end);
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

  /**
   * Loads the columns of these segments into the kernel's memory, unless they are there already. Drops the
   * postings lists of all other segments. Returns the segments with their addresses.
   */
  attach(segments: readonly OpenSegment[], scoring: Scoring): readonly ResidentSegment[] {
    if (isMemoryHigh() && this.#heap.end - this.#listsAt > this.#cacheBytes / HIGH_DIVISOR) this.#giveBack();
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

  /**
   * Loads the wanted postings lists and returns their addresses. Returns null if they do not fit into memory
   * together.
   */
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

  /** Returns the number of live documents in a loaded postings list. `list` is its address. */
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

  /** Loads a postings list and returns its address, or 0 if the memory is full. */
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

  /**
   * Loads the mask (the bitmap of documents for which the list is used), if the list needs one. Returns false
   * if the memory is full.
   */
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
    const limitBytes = isMemoryHigh() ? this.#cacheBytes / HIGH_DIVISOR : this.#cacheBytes;
    return this.#heap.end + bytes <= this.#listsAt + limitBytes && bytes <= this.#cacheBytes / 2;
  }

  /** Frees the memory of the cache by starting a new kernel, because the memory of a kernel cannot shrink. */
  #giveBack(): void {
    this.#kernel = new SearchKernel();
    this.#heap = new KernelHeap(this.#kernel, Scratch.end);
    this.#segments = [];
    this.#profile = null;
    this.#listsAt = Scratch.end;
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
    const [staticsAt, maximaAt] = segment.ranks ? this.#bringStatics(table, segment.ranks, scoring) : [0, 0];
    const ranges = rangesOf(segment.reader);
    this.#kernel.write(at, [normsAt, staticsAt, fingerprintsAt, deletesAt, maximaAt, ranges]);
    return { segment, at, lists: new Map(), masks: new Map() };
  }

  /** Loads the static scores of the documents of a segment, and the maximum in each range of 64 documents. */
  #bringStatics(
    table: OpenSegment['reader']['table'],
    ranks: Float32Array,
    scoring: Scoring,
  ): [number, number] {
    const ranges = Math.ceil(ranks.length / RANGE_DOCS);
    const staticsAt = this.#heap.take(8 * ranks.length);
    const maximaAt = this.#heap.takeZeros(4 * ranges + 16);
    const statics = new Float64Array(this.#kernel.buffer, staticsAt, ranks.length);
    const maxima = new Float32Array(this.#kernel.buffer, maximaAt, ranges);
    for (let doc = 0; doc < ranks.length; doc++) {
      const score = scoring.staticOf(ranks[doc]!, table.entries[doc] === 1, table.urlDepths[doc]!);
      const range = Math.floor(doc / RANGE_DOCS);
      statics[doc] = score;
      maxima[range] = Math.max(maxima[range]!, score * ROUNDED_UP);
    }
    return [staticsAt, maximaAt];
  }
}

/**
 * Returns the address of a postings list that is already loaded. Returns null if the list, or the positions
 * that it needs, must still be loaded.
 */
function knownList({ resident, from, entry, withPositions }: WantedList): number | null {
  const known = resident.lists.get(from)?.get(entry.postingsAt);
  return known && (known.hasPlaces || !withPositions) ? known.at : null;
}
