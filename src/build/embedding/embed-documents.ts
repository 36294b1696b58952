/** Chooses the documents that need a vector, and computes the vectors. */
import {
  type DocId,
  DocumentKind,
  type IndexReader,
  kindOf,
  type OpenSegment,
  type StoredDocument,
  stampOf,
} from '../../index/mod.ts';
import { type Embedder, passagesOf } from '../../meaning/mod.ts';
import type { VectorEntry } from './vector-batches.ts';

/** A document without a vector of the model. */
interface UnembeddedDocument {
  segment: OpenSegment;
  doc: DocId;
  stamp: number;
}

/** The state of the index with respect to a model. */
interface Embedding {
  /** Documents that have a vector, in the index or in a batch. */
  embedded: number;
  /** Documents that get no vector: the model does not know their language, or they are feeds. */
  unsuitable: number;
  /** The most important documents first. */
  missing: readonly UnembeddedDocument[];
}

interface EmbeddingPart {
  /**
   * The documents are divided into `parts` sets by their stamps, and only the set with the number `part` is considered.
   */
  part: number;
  parts: number;
  /** Documents whose vectors are computed, but not yet in the index. */
  waiting: ReadonlySet<bigint>;
  /** Returns how often a document was shown as a result, by the fingerprint of its URL. */
  timesShown?: (fingerprint: bigint) => number;
}

/** Finds the documents that have no vector of the embedder's model. */
export function missingVectors(
  { segments }: IndexReader,
  embedder: Pick<Embedder, 'modelId' | 'knowsLanguage'>,
  { part, parts, waiting, timesShown = () => 0 }: EmbeddingPart,
): Embedding {
  const missing: (UnembeddedDocument & { importance: number })[] = [];
  let embedded = 0;
  let unsuitable = 0;
  for (const segment of segments) {
    const { reader, deletes, ranks, vectors } = segment;
    const { table } = reader;
    const known = vectors?.model === embedder.modelId ? vectors : null;
    const isKnown = table.languages.map((tag) => tag === '' || embedder.knowsLanguage(tag));
    const isFeed = table.types.map((type) => kindOf(type) === DocumentKind.feed);
    for (let doc: DocId = 0; doc < reader.docCount; doc++) {
      const stamp = stampOf(table, doc);
      if (deletes.has(doc) || stamp % parts !== part) continue;
      const isSuitable = isKnown[table.languageOf[doc]!] && !isFeed[table.typeOf[doc]!];
      const fingerprint = table.fingerprints[doc]!;
      const isDone = known?.has(doc) || waiting.has(fingerprint);
      if (!isSuitable) unsuitable++;
      else if (isDone) embedded++;
      if (!isSuitable || isDone) continue;
      const importance =
        (ranks?.[doc] ?? 0) + (table.entries[doc] ? ENTRY_IMPORTANCE : 0) + timesShown(fingerprint);
      missing.push({ segment, doc, stamp, importance });
    }
  }
  return { embedded, unsuitable, missing: missing.sort((a, b) => b.importance - a.importance) };
}

/**
 * A start page counts as much as a page with this many times the mean rank. Being shown once counts as much as the mean
 * rank.
 */
const ENTRY_IMPORTANCE = 4;

/** Computes the vectors of the documents. Documents with equal title and content share one computation. */
export function embedDocuments(documents: readonly UnembeddedDocument[], embedder: Embedder): VectorEntry[] {
  const texts = new Map<number, string>();
  for (const { segment, doc, stamp } of documents) {
    if (texts.has(stamp)) continue;
    texts.set(stamp, passageOf(segment.reader.document(doc)));
  }
  const vectors = embedder.embed([...texts.values()]);
  const byStamp = new Map([...texts.keys()].map((stamp, at) => [stamp, vectors[at]!]));
  return documents.map(({ segment, doc, stamp }) => ({
    fingerprint: segment.reader.table.fingerprints[doc]!,
    stamp,
    vector: byStamp.get(stamp)!,
  }));
}

/** The number of tokens of a page that are embedded. The time to embed a page is proportional to it. */
const PASSAGE_TOKENS = 128;

function passageOf({ title, text, headings = [] }: StoredDocument): string {
  const lines = headings.map(({ start, end }) => text.slice(start, end));
  return passagesOf({ title, headings: lines, text }, 1, PASSAGE_TOKENS)[0]!;
}
