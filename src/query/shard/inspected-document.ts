/** Describes what an index, or a shard of it, has of a URL: its live document, older deleted ones, and near duplicates. */
import {
  areNearDuplicates,
  contentSimilarity,
  FREQUENCY_UNIT,
  type OpenSegment,
  signatureAt,
} from '../../index/mod.ts';
import { type CanonicalUrl, fingerprint, hostOf } from '../../url/mod.ts';
import { countTerms } from '../terms/mod.ts';

const MAX_HEADINGS = 8;
const MAX_TERMS = 20;
/** Number of the most frequent terms among which the telling ones are chosen. */
const MAX_LOOKED_UP = 300;

/** The facts of the index about a URL. */
export interface InspectedUrl {
  /** The live document of the URL; null if there is none. */
  document: InspectedDocument | null;
  /** Segments in which an older document of the URL is deleted. */
  deletedIn: string[];
  nearDuplicates: NearDuplicate[];
}

interface InspectedDocument {
  segment: string;
  number: number;
  title: string;
  description: string;
  /** The first headings of the text. */
  headings: string[];
  /** The terms that tell most about the document: frequent in it, and rare in the segment. */
  terms: InspectedTerm[];
  language: string;
  type: string;
  words: number;
  textCharacters: number;
  fetchedAt: number;
  quality: number;
  /** True if the document has a vector, so that queries in other words find it. */
  hasVector: boolean;
}

interface InspectedTerm {
  term: string;
  /** The number of occurrences, each with the weight of its field; one word of body text counts 1. */
  frequency: number;
  /** The number of documents in the segment that have the term. */
  documents: number;
}

export interface NearDuplicate {
  url: CanonicalUrl;
  /** Estimated share of shingles that both contents have in common. */
  similarity: number;
}

/** The documents of a URL in a shard. `signature` is that of the live document; null if there is none. */
export interface FoundUrl extends Pick<InspectedUrl, 'document' | 'deletedIn'> {
  signature: Uint32Array | null;
}

type Segments = readonly OpenSegment[];

export function inspectUrlIn(segments: Segments, url: CanonicalUrl): InspectedUrl {
  const { signature, ...found } = findUrl(segments, url);
  return { ...found, nearDuplicates: signature ? findSimilar(segments, url, signature) : [] };
}

/**
 * Returns the near duplicates of the live document of a URL, the most similar first; none if the URL has no document.
 * Cost: compares one signature per document of the index.
 */
export function findNearDuplicates(segments: Segments, url: CanonicalUrl): NearDuplicate[] {
  return inspectUrlIn(segments, url).nearDuplicates;
}

export function findUrl(segments: Segments, url: CanonicalUrl): FoundUrl {
  const places = segments
    .map((segment) => ({ segment, doc: segment.reader.findDocument(fingerprint(url)) }))
    .filter(({ doc }) => doc >= 0);
  const live = places.find(({ segment, doc }) => !segment.deletes.has(doc));
  const deleted = places.filter((place) => place !== live);
  return {
    document: live ? describeDocument(live.segment, live.doc) : null,
    deletedIn: deleted.map(({ segment }) => segment.reader.name),
    signature: live ? Uint32Array.from(signatureAt(live.segment.reader.table, live.doc)) : null,
  };
}

/** Returns the documents whose content is nearly that of `url`, which has this signature; the most similar first. */
export function findSimilar(segments: Segments, url: CanonicalUrl, signature: Uint32Array): NearDuplicate[] {
  const found: NearDuplicate[] = [];
  for (const { reader, deletes } of segments) {
    const { table, docCount } = reader;
    for (let doc = 0; doc < docCount; doc++) {
      const isOnHost = table.hosts[table.hostOf[doc]!] === hostOf(url);
      const other = signatureAt(table, doc);
      if (deletes.has(doc) || !areNearDuplicates(signature, other, isOnHost)) continue;
      const otherUrl = reader.url(doc) as CanonicalUrl;
      if (otherUrl !== url) found.push({ url: otherUrl, similarity: contentSimilarity(signature, other) });
    }
  }
  return found.sort((a, b) => b.similarity - a.similarity);
}

function describeDocument({ reader, vectors }: OpenSegment, doc: number): InspectedDocument {
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

/** Returns the terms that tell most about the text: frequent in it, and rare in the segment. */
function termsOf(reader: OpenSegment['reader'], doc: number, text: string): InspectedTerm[] {
  const counts = [...countTerms(text, reader.table.stemmings[doc]!)].sort((a, b) => b[1] - a[1]);
  const found = counts.slice(0, MAX_LOOKED_UP).flatMap(([term]) => {
    const entry = reader.findTerm(term);
    const postings = entry && reader.postings(entry);
    if (!postings || postings.seek(doc) !== doc) return [];
    return [{ term, frequency: postings.frequency / FREQUENCY_UNIT, documents: entry.docCount }];
  });
  const weightOf = ({ frequency, documents }: InspectedTerm) =>
    frequency * Math.log(1 + reader.docCount / documents);
  return found.sort((a, b) => weightOf(b) - weightOf(a)).slice(0, MAX_TERMS);
}
