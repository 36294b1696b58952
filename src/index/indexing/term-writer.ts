/**
 * Writes the terms of a segment buffer to a segment. A kernel (assembly/indexing/write-terms.ts) encodes the
 * postings and dictionary entries of most terms into output buffers, and this file copies them to the segment.
 * The postings of frequent terms do not fit into these buffers; a `PostingsWriter` collects them.
 */
import type { PostingsWriter } from '../postings/mod.ts';
import type { SegmentWriter } from '../segment/mod.ts';
import type { WordGroups } from './word-groups.ts';
import { PAIR_BYTES, type WordSorter } from './word-sorter.ts';

/** The functions that the kernel assembly/indexing/write-terms.ts exports. */
export interface WriteCalls {
  startTerms(
    orderAt: number,
    startsAt: number,
    pairsAt: number,
    scratch: number,
    buffer: number,
    bufferBytes: number,
  ): void;
  startSection(): void;
  takeOutput(postingsFileAt: number): void;
  postingsEnd(): number;
  blocksWritten(): number;
  samplesWritten(): number;
  countStrings(): number;
  lastBlock(): number;
  writeTerms(from: number, end: number): number;
  startTerm(term: number): number;
  endTerm(term: number, postingsBytes: number, positionBytes: number): void;
  writeWords(from: number, end: number): number;
}

/** The number of terms that are written in one call of the kernel, which takes about a millisecond. */
const TERMS_PER_CALL = 1024;

export class TermWriter {
  readonly #calls: WriteCalls;
  readonly #groups: WordGroups;
  readonly #sorter: WordSorter;
  readonly #list: PostingsWriter;
  readonly #bytes: Uint8Array;
  readonly #outputAt: number;
  readonly #partBytes: number;
  #laidOut = 0;

  /**
   * Prepares the kernel to write terms. The kernel writes to the memory `output`, which is divided into three
   * buffers.
   */
  constructor(
    calls: WriteCalls,
    groups: WordGroups,
    sorter: WordSorter,
    list: PostingsWriter,
    output: { buffer: ArrayBuffer; at: number; sizeBytes: number; scratchAt: number },
  ) {
    this.#calls = calls;
    this.#groups = groups;
    this.#sorter = sorter;
    this.#list = list;
    this.#bytes = new Uint8Array(output.buffer);
    this.#outputAt = output.at;
    this.#partBytes = Math.floor(output.sizeBytes / 3) & ~7;
    const { at, sizeBytes, scratchAt } = output;
    calls.startTerms(groups.orderAt, sorter.startsAt, sorter.windowAt, scratchAt, at, sizeBytes);
  }

  /**
   * Writes some terms, in ascending order, from index `from` on. Returns the index of the next term to write.
   */
  writeTerms(writer: SegmentWriter, from: number): number {
    const { order } = this.#groups;
    if (from === this.#laidOut) this.#laidOut = this.#sorter.layOut(order, from);
    const end = Math.min(this.#laidOut, from + TERMS_PER_CALL);
    this.#calls.takeOutput(writer.postingsEnd);
    const next = this.#calls.writeTerms(from, end);
    this.#copyTerms(writer);
    if (next > from || next === end) return next;
    this.#writeLongTerm(writer, order[from]!);
    return from + 1;
  }

  /** Starts the section of the words that differ from their term. Call this after all terms are written. */
  startWords(): void {
    this.#calls.startSection();
  }

  /**
   * Writes some of the words that differ from their term, from index `from` on. Returns the index of the next
   * word to write.
   */
  writeWords(writer: SegmentWriter, from: number): number {
    this.#calls.takeOutput(0);
    const next = this.#calls.writeWords(from, Math.min(this.#groups.order.length, from + TERMS_PER_CALL));
    writer.appendWords(this.#entries());
    return next;
  }

  #writeLongTerm(writer: SegmentWriter, term: number): void {
    const list = this.#list;
    this.#calls.takeOutput(writer.postingsEnd);
    list.clear();
    const end = this.#calls.startTerm(term);
    list.addPairs(end - PAIR_BYTES * this.#groups.totals[term]!, end);
    list.finish();
    this.#calls.endTerm(term, list.postingsBytes, list.positionBytes);
    writer.appendList(list);
    this.#copyTerms(writer);
  }

  #copyTerms(writer: SegmentWriter): void {
    writer.appendTerms(this.#bytes.subarray(this.#outputAt, this.#calls.postingsEnd()), this.#entries());
  }

  #entries() {
    const calls = this.#calls;
    const blocksAt = this.#outputAt + this.#partBytes;
    return {
      blocks: this.#bytes.subarray(blocksAt, calls.blocksWritten()),
      samples: this.#bytes.subarray(blocksAt + this.#partBytes, calls.samplesWritten()),
      count: calls.countStrings(),
      blockAt: calls.lastBlock(),
    };
  }
}
