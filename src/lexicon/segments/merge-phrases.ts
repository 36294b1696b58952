/**
 * Merges the phrases of several lexicons. The phrases of each input ascend by key, so the inputs are walked in
 * parallel and only bytes and numbers are copied. With an object for each phrase, the merge took 150 MB more
 * for 90,000 pages.
 */
import { Heap } from '../../base/mod.ts';
import { startOf } from '../columns.ts';
import { type PhraseUses, USE_BITS, USE_MASK } from './segment-lexicon-format.ts';
import type { SegmentLexicon } from './segment-lexicon-reader.ts';
import { TextColumnWriter } from './text-column.ts';

export interface PhraseInput {
  lexicon: SegmentLexicon;
  /**
   * Maps the number of a document in its segment to its number in the merged segment; -1 if the merge drops the
   * document.
   */
  newDocs: Int32Array;
}

/** The next phrase of an input. */
interface Head {
  input: number;
  at: number;
  key: Uint8Array;
}

/** Returns the phrases that at least one remaining document uses. */
export function mergePhrases(inputs: readonly PhraseInput[]): PhraseUses {
  const writer = new PhraseWriter(inputs);
  const heads = new Heap<Head>(isBefore);
  for (const input of inputs.keys())
    if (inputs[input]!.lexicon.phraseCount > 0) heads.push(headAt(inputs, input, 0));
  for (let key: Uint8Array | null = null; heads.size > 0; ) {
    const head = heads.peek()!;
    if (key === null || Buffer.compare(key, head.key) !== 0) writer.endPhrase();
    writer.addUses(head.input, head.at);
    key = head.key;
    const next = head.at + 1;
    if (next < inputs[head.input]!.lexicon.phraseCount) heads.replaceTop(headAt(inputs, head.input, next));
    else heads.pop();
  }
  return writer.finish();
}

function headAt(inputs: readonly PhraseInput[], input: number, at: number): Head {
  const { ends, bytes } = inputs[input]!.lexicon.phrases.keys;
  return { input, at, key: bytes.subarray(startOf(ends, at), ends[at]!) };
}

function isBefore(a: Head, b: Head): boolean {
  const order = Buffer.compare(a.key, b.key);
  return order < 0 || (order === 0 && a.input < b.input);
}

class PhraseWriter {
  readonly #inputs: readonly PhraseInput[];
  readonly #keys: TextColumnWriter;
  readonly #texts: TextColumnWriter;
  readonly #useEnds: Uint32Array;
  readonly #usedBy: Uint32Array;
  #count = 0;
  #uses = 0;

  constructor(inputs: readonly PhraseInput[]) {
    const sum = (sizeOf: (lexicon: SegmentLexicon) => number) =>
      inputs.reduce((all, { lexicon }) => all + sizeOf(lexicon), 0);
    const count = sum(({ phraseCount }) => phraseCount);
    this.#inputs = inputs;
    this.#keys = new TextColumnWriter(
      count,
      sum(({ phrases }) => phrases.keys.bytes.length),
    );
    this.#texts = new TextColumnWriter(
      count,
      sum(({ phrases }) => phrases.texts.bytes.length),
    );
    this.#useEnds = new Uint32Array(count);
    this.#usedBy = new Uint32Array(sum(({ phrases }) => phrases.usedBy.length));
  }

  /**
   * Adds the uses of phrase number `at` of an input. The phrase gets the text of the first input in which a
   * remaining document uses it.
   */
  addUses(input: number, at: number): void {
    const { lexicon, newDocs } = this.#inputs[input]!;
    const { keys, texts, useEnds, usedBy } = lexicon.phrases;
    const before = this.#uses;
    for (let use = startOf(useEnds, at); use < useEnds[at]!; use++) {
      const doc = newDocs[usedBy[use]! >>> USE_BITS]!;
      if (doc >= 0) this.#usedBy[this.#uses++] = (doc << USE_BITS) | (usedBy[use]! & USE_MASK);
    }
    if (this.#uses === before || before > this.#start) return;
    this.#keys.copy(keys, at);
    this.#texts.copy(texts, at);
  }

  /** Ends the current phrase, if it has a remaining document. */
  endPhrase(): void {
    if (this.#uses === this.#start) return;
    this.#usedBy.subarray(this.#start, this.#uses).sort();
    this.#useEnds[this.#count++] = this.#uses;
  }

  finish(): PhraseUses {
    this.endPhrase();
    return {
      keys: this.#keys.finish(),
      texts: this.#texts.finish(),
      useEnds: this.#useEnds.subarray(0, this.#count),
      usedBy: this.#usedBy.subarray(0, this.#uses),
    };
  }

  /** The index of the first use of the current phrase. */
  get #start(): number {
    return startOf(this.#useEnds, this.#count);
  }
}
