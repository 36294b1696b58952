/**
 * What takes a look at all words of a document: its most frequent word, the length of its vector of TF-IDF, its headings. Only
 * the published designs ask for it; it reads and takes apart the stored text, so what was found out is kept.
 *
 * Most of the time goes into the dictionaries, for how rare each word of the document is. So documents are looked at many
 * at a time, and all their terms are looked up in order: neighbours stand in the same block. Where only counts are
 * asked for, no term is looked up.
 */
import type { DocId, OpenSegment, StoredDocument } from '../index/mod.ts';
import { inverseDocumentFrequency, type WholeDocument } from '../rank/mod.ts';
import { stemmingOf } from '../text/mod.ts';
import { reading } from './errors.ts';
import type { SearchedSegment } from './statistics.ts';
import { countTerms } from './word-use.ts';

/** Documents whose words are in memory at once. */
const BATCH = 256;

interface Counted {
  doc: DocId;
  document: StoredDocument;
  counts: ReadonlyMap<string, number>;
}

export class WholeDocuments {
  readonly #searched: readonly SearchedSegment[];
  readonly #docCount: number;
  readonly #maxRank: number;
  readonly #withNorm: boolean;
  readonly #rarities = new Map<string, number>();

  /** Without a norm it is 0, and costs nothing. */
  constructor(searched: readonly SearchedSegment[], docCount: number, withNorm: boolean) {
    this.#searched = searched;
    this.#docCount = docCount;
    this.#withNorm = withNorm;
    this.#maxRank = searched.reduce((max, { segment }) => Math.max(max, bestRank(segment)), 0);
  }

  /** In the order of `docs`. */
  of(segment: OpenSegment, docs: ArrayLike<DocId>): WholeDocument[] {
    const known = knownOf(segment, this.#docCount, this.#withNorm);
    const found = Array.from(docs, (doc) => known.get(doc));
    const unknown = Array.from(docs).filter((_, at) => found[at] === undefined);
    const examined = new Map<DocId, WholeDocument>();
    for (let from = 0; from < unknown.length; from += BATCH)
      this.#examine(segment, unknown.slice(from, from + BATCH), examined);
    for (const [doc, whole] of examined) if (known.size < MAX_EXAMINED) known.set(doc, whole);
    return found.map((whole, at) => whole ?? examined.get(docs[at]!)!);
  }

  #examine(segment: OpenSegment, docs: readonly DocId[], out: Map<DocId, WholeDocument>): void {
    const counted = docs.map((doc): Counted => {
      const document = reading(segment, () => segment.reader.document(doc));
      const { title, text, language } = document;
      return { doc, document, counts: countTerms(`${title}\n${text}`, stemmingOf(language)) };
    });
    if (this.#withNorm) this.#lookUp(counted);
    for (const { doc, document, counts } of counted) {
      let [words, maxFrequency, square] = [0, 0, 0];
      for (const [term, count] of counts) {
        words += count;
        maxFrequency = Math.max(maxFrequency, count);
        square += (count * (this.#rarities.get(term) ?? 0)) ** 2;
      }
      const urlLength = document.url.length;
      const headings = headingsOf(document);
      const length = document.text === '' ? null : words;
      out.set(doc, {
        length,
        maxFrequency,
        norm: Math.sqrt(square),
        headings,
        urlLength,
        maxRank: this.#maxRank,
      });
    }
  }

  #lookUp(counted: readonly Counted[]): void {
    const terms = new Set(counted.flatMap(({ counts }) => [...counts.keys()]));
    const unknown = [...terms].filter((term) => !this.#rarities.has(term)).sort();
    const frequencies = new Float64Array(unknown.length);
    for (const { segment } of this.#searched)
      reading(segment, () => {
        for (const [at, term] of unknown.entries())
          frequencies[at]! += segment.reader.findTerm(term)?.docCount ?? 0;
      });
    for (const [at, term] of unknown.entries()) {
      const frequency = Math.min(frequencies[at]!, this.#docCount);
      this.#rarities.set(term, inverseDocumentFrequency(this.#docCount, frequency));
    }
  }
}

/** Per term, how often each level of heading says it. */
function headingsOf({ text, language, headings }: StoredDocument): WholeDocument['headings'] {
  if (!headings) return null;
  const terms = new Map<string, number[]>();
  for (const { level, start, end } of headings) {
    for (const [term, count] of countTerms(text.slice(start, end), stemmingOf(language))) {
      const levels = terms.get(term) ?? [0, 0, 0, 0, 0, 0];
      levels[level - 1]! += count;
      terms.set(term, levels);
    }
  }
  return terms;
}

interface Examined {
  docCount: number;
  withNorm: boolean;
  documents: Map<DocId, WholeDocument>;
}

/** Rarities are those of the whole index: what was found out holds as long as its size does. */
const examined = new WeakMap<OpenSegment, Examined>();
const MAX_EXAMINED = 100_000;

function knownOf(segment: OpenSegment, docCount: number, withNorm: boolean): Map<DocId, WholeDocument> {
  const held = examined.get(segment);
  if (held?.docCount === docCount && held.withNorm === withNorm) return held.documents;
  const documents = new Map<DocId, WholeDocument>();
  examined.set(segment, { docCount, withNorm, documents });
  return documents;
}

const bestRanks = new WeakMap<OpenSegment, number>();

function bestRank(segment: OpenSegment): number {
  const known = bestRanks.get(segment);
  if (known !== undefined) return known;
  const best = segment.ranks?.reduce((max, rank) => Math.max(max, rank), 0) ?? 0;
  bestRanks.set(segment, best);
  return best;
}
