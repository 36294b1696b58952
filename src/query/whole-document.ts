/**
 * What takes a look at all words of a document: its most frequent word, the length of its vector of TF-IDF, its headings. Only
 * the published designs ask for it; it reads and takes apart the stored text, so what was found out is kept.
 */
import type { DocId, OpenSegment, StoredDocument } from '../index/mod.ts';
import { inverseDocumentFrequency, type WholeDocument } from '../rank/mod.ts';
import { stemmingOf } from '../text/mod.ts';
import { reading } from './errors.ts';
import type { SearchedSegment } from './statistics.ts';
import { countTerms } from './word-use.ts';

export class WholeDocuments {
  readonly #searched: readonly SearchedSegment[];
  readonly #docCount: number;
  readonly #maxRank: number;
  readonly #rarities = new Map<string, number>();

  constructor(searched: readonly SearchedSegment[], docCount: number) {
    this.#searched = searched;
    this.#docCount = docCount;
    this.#maxRank = searched.reduce((max, { segment }) => Math.max(max, bestRank(segment)), 0);
  }

  of(segment: OpenSegment, doc: DocId): WholeDocument {
    const known = knownOf(segment, this.#docCount);
    const whole = known.get(doc) ?? this.#examine(segment, doc);
    known.set(doc, whole);
    return whole;
  }

  #examine(segment: OpenSegment, doc: DocId): WholeDocument {
    const document = reading(segment, () => segment.reader.document(doc));
    const { url, title, text, language } = document;
    let maxFrequency = 0;
    let square = 0;
    for (const [term, count] of countTerms(`${title}\n${text}`, stemmingOf(language))) {
      maxFrequency = Math.max(maxFrequency, count);
      square += (count * this.#rarityOf(term)) ** 2;
    }
    const headings = headingsOf(document);
    return { maxFrequency, norm: Math.sqrt(square), headings, urlLength: url.length, maxRank: this.#maxRank };
  }

  #rarityOf(term: string): number {
    const known = this.#rarities.get(term);
    if (known !== undefined) return known;
    const frequency = this.#searched.reduce(
      (sum, { segment }) => sum + reading(segment, () => segment.reader.findTerm(term)?.docCount ?? 0),
      0,
    );
    const rarity = inverseDocumentFrequency(this.#docCount, Math.min(frequency, this.#docCount));
    this.#rarities.set(term, rarity);
    return rarity;
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

/** Rarities are those of the whole index: what was found out holds as long as its size does. */
const examined = new WeakMap<OpenSegment, { docCount: number; documents: Map<DocId, WholeDocument> }>();
const MAX_EXAMINED = 100_000;

function knownOf(segment: OpenSegment, docCount: number): Map<DocId, WholeDocument> {
  const held = examined.get(segment);
  if (held?.docCount === docCount && held.documents.size < MAX_EXAMINED) return held.documents;
  const documents = new Map<DocId, WholeDocument>();
  examined.set(segment, { docCount, documents });
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
