/**
 * Builds the anchor lists of a segment: postings of the anchor texts of links to its documents.
 *
 * Each token is stored as three numbers: the term, the document, and the position together with the weight of
 * its text. Tokens arrive in order of document and position, so a stable counting sort by term leaves every
 * list in order. This takes up to 40 bytes per token while the lists of one segment are written.
 */
import type { Directory } from '../../base/mod.ts';
import { type Stemming, termOf, tokenizeIdentifiers } from '../../text/mod.ts';
import type { DocId } from '../document.ts';
import { Field, placeOf } from '../fields.ts';
import { PostingsWriter } from '../postings/mod.ts';
import type { DocumentTable } from '../segment/mod.ts';
import { type AnchorText, type AnchorTexts, TEXT_GAP, textWeight } from './anchor-lists-format.ts';
import { AnchorListsWriter } from './anchor-lists-writer.ts';

/** Number of 32-bit numbers stored per token: term, document, and position with weight. */
const STRIDE = 3;
const WEIGHT_BITS = 8;
const WEIGHT_MASK = (1 << WEIGHT_BITS) - 1;

/**
 * Writes the anchor lists (postings of anchor texts) of the documents in `table`. Returns false if no document
 * has anchor text.
 */
export function writeAnchorLists(
  directory: Directory,
  name: string,
  table: Pick<DocumentTable, 'fingerprints' | 'stemmings'>,
  textsOf: AnchorTexts,
): boolean {
  const buffer = new AnchorBuffer(table.fingerprints.length);
  for (const [doc, fingerprint] of table.fingerprints.entries())
    buffer.add(doc, textsOf(fingerprint), table.stemmings[doc]! as Stemming);
  return buffer.write(directory, name);
}

/**
 * Always true: identifiers in anchor texts are split into parts like those in titles, because an anchor text
 * names a page.
 */
const isName = () => true;

class AnchorBuffer {
  readonly #terms = new Map<string, number>();
  readonly #votes: Uint16Array;
  #words = new Uint32Array(STRIDE * 1024);
  #count = 0;

  constructor(docCount: number) {
    this.#votes = new Uint16Array(docCount);
  }

  /** Adds the anchor texts of a document. Documents must be added in ascending order. */
  add(doc: DocId, texts: readonly AnchorText[], stemming: Stemming): void {
    let position = 0;
    for (const { text, weight: votes } of texts) {
      const weight = textWeight(votes);
      tokenizeIdentifiers(text, isName, (word, _start, _end, isExtra) => {
        this.#push(doc, termOf(word, stemming), isExtra ? position - 1 : position++, weight);
      });
      this.#votes[doc]! += weight;
      position += TEXT_GAP;
    }
  }

  /** Writes the anchor lists. Returns false, and writes nothing, if no tokens were added. */
  write(directory: Directory, name: string): boolean {
    if (this.#count === 0) return false;
    const { order, starts } = this.#byTerm();
    const writer = new AnchorListsWriter();
    const list = new PostingsWriter();
    for (const [term, number] of [...this.#terms].sort(([a], [b]) => (a < b ? -1 : 1))) {
      list.start(1);
      this.#encode(list, order.subarray(starts[number], starts[number + 1]));
      writer.addTerm(term, list);
    }
    writer.finish(directory, name, this.#votes);
    return true;
  }

  #push(doc: DocId, term: string, position: number, weight: number): void {
    const number = this.#terms.get(term) ?? this.#terms.size;
    if (number === this.#terms.size) this.#terms.set(term, number);
    const at = STRIDE * this.#count++;
    if (at === this.#words.length) this.#grow();
    this.#words[at] = number;
    this.#words[at + 1] = doc;
    this.#words[at + 2] = (position << WEIGHT_BITS) | weight;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#words.length);
    larger.set(this.#words);
    this.#words = larger;
  }

  /** Returns the token numbers sorted by term, and for each term the index of its first token in this order. */
  #byTerm(): { order: Uint32Array; starts: Uint32Array } {
    const starts = new Uint32Array(this.#terms.size + 1);
    const termAt = (word: number) => this.#words[STRIDE * word]!;
    for (let word = 0; word < this.#count; word++) starts[termAt(word) + 1]!++;
    for (let term = 1; term < starts.length; term++) starts[term]! += starts[term - 1]!;
    const order = new Uint32Array(this.#count);
    const next = starts.slice();
    for (let word = 0; word < this.#count; word++) order[next[termAt(word)]!++] = word;
    return { order, starts };
  }

  #encode(list: PostingsWriter, words: Uint32Array): void {
    let weight = 0;
    for (const [i, word] of words.entries()) {
      const doc = this.#words[STRIDE * word + 1]!;
      const place = this.#words[STRIDE * word + 2]!;
      list.addPlace(doc, placeOf(place >>> WEIGHT_BITS, Field.body), 0);
      weight += place & WEIGHT_MASK;
      const next = words[i + 1];
      if (next !== undefined && this.#words[STRIDE * next + 1] === doc) continue;
      list.endDocument(weight);
      weight = 0;
    }
  }
}
