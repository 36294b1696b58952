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

/** A document of the index that has no vector of the current model. */
interface UnembeddedDocument {
  segment: OpenSegment;
  doc: DocId;
  stamp: number;
}

/** The number of documents with and without a vector of a given model. */
interface Embedding {
  /** Number of documents that have a vector, either in the index or in a batch file that is not applied yet. */
  embedded: number;
  /**
   * Number of documents that never get a vector, because the model does not know their language or because they
   * are feeds.
   */
  unsuitable: number;
  /** The documents that need a vector, the most important first. */
  missing: readonly UnembeddedDocument[];
}

interface EmbeddingPart {
  /**
   * To share the work between threads, the documents are divided into `parts` sets by their content stamps.
   * Only documents of set number `part` are considered.
   */
  part: number;
  parts: number;
  /** URL fingerprints of documents whose vectors are in batch files, but not yet in the index. */
  waiting: ReadonlySet<bigint>;
  /** Returns how often a document was shown as a search result. The argument is the fingerprint of its URL. */
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
 * The number that is added to the importance of a start page. Documents with the greatest importance are
 * embedded first. The importance is the rank of a document (1 is the mean), plus the number of times it was
 * shown.
 */
const ENTRY_IMPORTANCE = 4;

/** Computes the vectors of the documents. Documents with equal title and content are embedded once. */
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

/**
 * The approximate number of tokens of a page that are embedded. The time to embed a page is proportional to
 * this number.
 */
const PASSAGE_TOKENS = 128;

function passageOf({ title, text, headings = [] }: StoredDocument): string {
  const lines = headings.map(({ start, end }) => text.slice(start, end));
  return passagesOf({ title, headings: lines, text }, 1, PASSAGE_TOKENS)[0]!;
}
