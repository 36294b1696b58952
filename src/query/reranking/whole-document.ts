/**
 * Computes evidence that needs all words of a document: its highest term frequency, the length of its TF-IDF vector,
 * its headings. Only ranking profiles after published designs use it. It reads and tokenizes the stored text, so the
 * results are cached.
 *
 * Most of the time is spent on dictionary lookups, for the IDF of each word of the document. Therefore documents are
 * processed in batches, and the terms of a batch are looked up in sorted order, because neighbouring terms are in
 * the same dictionary block. If a profile needs only counts, no term is looked up.
 */
import type { DocId, OpenSegment, StoredDocument } from '../../index/mod.ts';
import { inverseDocumentFrequency, type WholeDocument } from '../../scoring/mod.ts';
import { stemmingOf } from '../../text/mod.ts';
import { type Deadline, NO_DEADLINE } from '../deadline.ts';
import { reading } from '../errors.ts';
import { countTerms, type GlobalStatistics, type SearchedSegment } from '../terms/mod.ts';

/** The number of documents that are processed together. Their words are in memory at the same time. */
const BATCH = 256;
/** The cost of reading a stored document, in deadline steps. */
const DOCUMENT_STEPS = 1024;

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
  readonly #deadline: Deadline;
  readonly #rarities: Map<string, number>;

  /**
   * If `withNorm` is false, the length of the TF-IDF vector (`norm`) is 0, and no term is looked up. `rarities` has
   * the IDFs of all terms of the documents; it is absent if `searched` is the whole index.
   */
  constructor(
    searched: readonly SearchedSegment[],
    { docCount, maxRank }: Pick<GlobalStatistics, 'docCount' | 'maxRank'>,
    withNorm: boolean,
    deadline: Deadline = NO_DEADLINE,
    rarities: ReadonlyMap<string, number> = new Map(),
  ) {
    this.#deadline = deadline;
    this.#searched = searched;
    this.#docCount = docCount;
    this.#withNorm = withNorm;
    this.#maxRank = maxRank;
    this.#rarities = new Map(rarities);
  }

  /** Returns the evidence about each of the documents, in the order of `docs`. */
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
      this.#deadline.requireFinish(DOCUMENT_STEPS);
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

/** Returns the different terms in the titles and texts of the documents. */
export function termsOfDocuments(segment: OpenSegment, docs: readonly DocId[]): Set<string> {
  const terms = new Set<string>();
  for (const doc of docs) {
    const { title, text, language } = reading(segment, () => segment.reader.document(doc));
    for (const term of countTerms(`${title}\n${text}`, stemmingOf(language)).keys()) terms.add(term);
  }
  return terms;
}

/** Returns, for each term of a document's headings, how often headings of each level contain it. */
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

/**
 * For each segment, the cached evidence. It depends on IDFs, so an entry is valid only while the number of
 * documents in the index is unchanged.
 */
const examined = new WeakMap<OpenSegment, Examined>();
const MAX_EXAMINED = 100_000;

function knownOf(segment: OpenSegment, docCount: number, withNorm: boolean): Map<DocId, WholeDocument> {
  const held = examined.get(segment);
  if (held?.docCount === docCount && held.withNorm === withNorm) return held.documents;
  const documents = new Map<DocId, WholeDocument>();
  examined.set(segment, { docCount, withNorm, documents });
  return documents;
}
