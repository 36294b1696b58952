/** Reads the index entries of a URL: its live document, older deleted documents, and near duplicates. */
import { silentLog } from '../../base/mod.ts';
import { FREQUENCY_UNIT, IndexReader, type OpenSegment, readManifest } from '../../index/mod.ts';
import { journalFiles } from '../../journal/mod.ts';
import { countTerms } from '../../query/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { findNearDuplicates } from '../sessions/near-duplicates.ts';
import type { IndexedDocument, IndexedTerm, IndexFacts } from './inspection.ts';

const MAX_NEAR = 10;
const MAX_HEADINGS = 8;
const MAX_TERMS = 20;

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
  const { title, description, language, text, fetchedAt, headings = [] } = reader.document(doc);
  const { table } = reader;
  return {
    segment: reader.name,
    number: doc,
    title,
    description,
    headings: headings.slice(0, MAX_HEADINGS).map(({ start, end }) => text.slice(start, end)),
    terms: termsOf(reader, doc, `${title}\n${text}`),
    language: language || table.languages[table.languageOf[doc]!]!,
    type: table.types[table.typeOf[doc]!]!,
    words: table.lengths[doc]!,
    textCharacters: text.length,
    fetchedAt,
    quality: table.qualities[doc]!,
    hasVector: vectors?.has(doc) ?? false,
  };
}

/** Returns the terms that occur most often in the text, with their weighted frequencies in the index. */
function termsOf(reader: OpenSegment['reader'], doc: number, text: string): IndexedTerm[] {
  const counts = [...countTerms(text, reader.table.stemmings[doc]!)].sort((a, b) => b[1] - a[1]);
  return counts
    .slice(0, MAX_TERMS)
    .flatMap(([term]) => {
      const entry = reader.findTerm(term);
      const postings = entry && reader.postings(entry);
      if (!postings || postings.seek(doc) !== doc) return [];
      return [{ term, frequency: postings.frequency / FREQUENCY_UNIT, documents: entry.docCount }];
    })
    .sort((a, b) => b.frequency - a.frequency);
}
