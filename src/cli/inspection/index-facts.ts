/** Reads the index entries of a URL: its live document, older deleted documents, and near duplicates. */
import { silentLog } from '../../base/mod.ts';
import { IndexReader, type OpenSegment, readManifest } from '../../index/mod.ts';
import { journalFiles } from '../../journal/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { findNearDuplicates } from '../sessions/near-duplicates.ts';
import type { IndexedDocument, IndexFacts } from './inspection.ts';

const MAX_NEAR = 10;

export function readIndexFacts({ index, journal }: DataDirectory, url: CanonicalUrl): IndexFacts {
  const reader = new IndexReader(index, silentLog, { verifiesLater: true });
  try {
    const places = reader.segments
      .map((segment) => ({ segment, doc: segment.reader.findDocument(fingerprint(url)) }))
      .filter(({ doc }) => doc >= 0);
    const live = places.find(({ segment, doc }) => !segment.deletes.has(doc));
    const deleted = places.filter((place) => place !== live);
    return {
      document: live ? describeDocument(live.segment, live.doc) : null,
      deletedIn: deleted.map(({ segment }) => segment.reader.name),
      waitingFiles: journalFiles(journal, readManifest(index).journal).length,
      nearDuplicates: findNearDuplicates(reader.segments, url).slice(0, MAX_NEAR),
    };
  } finally {
    reader.close();
  }
}

function describeDocument({ reader, vectors }: OpenSegment, doc: number): IndexedDocument {
  const { title, language, text, fetchedAt } = reader.document(doc);
  const { table } = reader;
  return {
    segment: reader.name,
    number: doc,
    title,
    language: language || table.languages[table.languageOf[doc]!]!,
    type: table.types[table.typeOf[doc]!]!,
    words: table.lengths[doc]!,
    textCharacters: text.length,
    fetchedAt,
    quality: table.qualities[doc]!,
    hasVector: vectors?.has(doc) ?? false,
  };
}
