/**
 * Translates the condition of a query to an iterator over the matching documents of one segment. The iterator
 * includes deleted documents.
 */

import {
  type DocId,
  fieldFormOf,
  type OpenSegment,
  type PostingsCursor,
  positionOf,
  type TermLists,
} from '../../index/mod.ts';
import { ADDRESS, ANY_FIELD, type Condition, type FieldSet, isIn, type PhraseTerm } from '../language/mod.ts';
import type { Patience } from '../patience.ts';
import { filterOf, wantedForms } from '../terms/mod.ts';
import {
  AllOf,
  AnyOf,
  type DocIterator,
  FilteredDocs,
  ListedDocs,
  NOTHING,
  TermDocs,
} from './doc-iterators.ts';
import { collectedIn, hostsOn, kindsOf, languagesOf, typesOf, unblockedHosts } from './filters.ts';
import { type Occurrences, runStarts, standNear } from './positions.ts';

/** The cost of opening a postings list, in deadline steps: a dictionary block and the list are read. */
const OPEN_STEPS = 128;

export function matcherOf(condition: Condition, segment: OpenSegment, patience: Patience): DocIterator {
  const { reader } = segment;
  const { table, docCount } = reader;
  const filtered = (isMatch: (doc: DocId) => boolean) => new FilteredDocs(docCount, isMatch);
  const build = (part: Condition): DocIterator => {
    switch (part.kind) {
      case 'phrase':
        return isWord(part.terms, part.fields)
          ? wordDocs(segment, part.terms[0]!, patience)
          : phraseDocs(segment, part.terms, part.fields, patience);
      case 'near':
        return nearDocs(segment, part.phrases, part.distances, patience);
      case 'and':
        return part.parts.length === 0 ? filtered(() => true) : new AllOf(part.parts.map(build), patience);
      case 'or':
        return new AnyOf(part.parts.map(build));
      case 'not':
        return notDocs(build(part.part), filtered);
      case 'site':
        return siteDocs(
          segment,
          part.address,
          filtered(among(hostsOn(table.hosts, part.host), table.hostOf)),
          patience,
        );
      case 'unblocked':
        return filtered(among(unblockedHosts(table.hosts, part.blocked, part.allowed), table.hostOf));
      case 'family':
        return filtered(() => true);
      case 'rated': {
        const hidden = segment.hiddenFor({ feeds: true, level: part.level });
        return new ListedDocs(Uint32Array.from(hidden.toArray()));
      }
      case 'language':
        return filtered(among(languagesOf(table.languages, part.tag), table.languageOf));
      case 'type':
        return filtered(among(typesOf(table.types, part.name), table.typeOf));
      case 'kind':
        return filtered(among(kindsOf(table.types, part.name), table.typeOf));
      case 'collection':
        return filtered(among(collectedIn(table.types, part.name), table.typeOf));
      case 'before':
        return filtered((doc) => table.days[doc]! !== 0 && table.days[doc]! < part.day);
      case 'since':
        return filtered((doc) => table.days[doc]! !== 0 && table.days[doc]! >= part.day);
      case 'anchor':
        return anchorDocs(segment, part.terms, patience);
      case 'documents':
        return listedDocs(segment, part.fingerprints);
    }
  };
  return build(condition);
}

function among(isWanted: Uint8Array, numberOf: { readonly [doc: DocId]: number }): (doc: DocId) => boolean {
  return (doc) => isWanted[numberOf[doc]!] === 1;
}

function notDocs(
  part: DocIterator,
  filtered: (isMatch: (doc: DocId) => boolean) => DocIterator,
): DocIterator {
  return filtered((doc) => part.seek(doc) !== doc || !part.confirm());
}

function siteDocs(
  segment: OpenSegment,
  address: readonly PhraseTerm[],
  onHosts: DocIterator,
  patience: Patience,
): DocIterator {
  return address.length === 0
    ? onHosts
    : new AllOf([phraseDocs(segment, address, ADDRESS, patience), onHosts], patience);
}

function listedDocs({ reader }: OpenSegment, fingerprints: ReadonlySet<bigint>): DocIterator {
  const docs = [...fingerprints].map((one) => reader.findDocument(one)).filter((doc) => doc >= 0);
  return new ListedDocs(Uint32Array.from(docs).sort());
}

/**
 * Returns true if a phrase is a single word that matches in any form and any field. Such a word also matches in
 * anchor texts; a word in quotes must be in the document itself.
 */
function isWord(terms: readonly PhraseTerm[], fields: FieldSet): boolean {
  return terms.length === 1 && terms[0]!.exact === null && fields === ANY_FIELD;
}

/** Returns an iterator over the documents that have any term of the word, in their text or in anchor texts. */
function wordDocs(segment: OpenSegment, word: PhraseTerm, patience: Patience): DocIterator {
  const { reader, anchors } = segment;
  const lists = [reader, ...(anchors ? [anchors] : [])].flatMap((from) =>
    openSlot(segment, from, word, patience),
  );
  return docsOf(lists);
}

/** Returns an iterator over the documents with an anchor text that contains the words directly after each other. */
function anchorDocs(segment: OpenSegment, words: readonly PhraseTerm[], patience: Patience): DocIterator {
  const { anchors } = segment;
  const phrase = anchors && openPhrase(segment, anchors, words, patience);
  return phrase
    ? new AllOf(phrase.docs, patience, () => occurrences(phrase, ANY_FIELD, patience).starts.length > 0)
    : NOTHING;
}

function phraseDocs(
  segment: OpenSegment,
  terms: readonly PhraseTerm[],
  fields: FieldSet,
  patience: Patience,
): DocIterator {
  const phrase = openPhrase(segment, segment.reader, terms, patience);
  if (!phrase) return NOTHING;
  const isAnyPlace =
    terms.length === 1 && fields === ANY_FIELD && phrase.slots[0]!.every(({ forms }) => !forms);
  if (isAnyPlace) return phrase.docs[0]!;
  return new AllOf(phrase.docs, patience, () => occurrences(phrase, fields, patience).starts.length > 0);
}

function nearDocs(
  segment: OpenSegment,
  phrases: readonly (readonly PhraseTerm[])[],
  distances: readonly number[],
  patience: Patience,
): DocIterator {
  const open = phrases.map((terms) => openPhrase(segment, segment.reader, terms, patience));
  if (!open.every((phrase) => phrase !== null)) return NOTHING;
  return new AllOf(
    open.flatMap(({ docs }) => docs),
    patience,
    () =>
      standNear(
        open.map((phrase) => occurrences(phrase, ANY_FIELD, patience)),
        distances,
      ),
  );
}

interface OpenPhrase {
  slots: OpenList[][];
  docs: DocIterator[];
}

/**
 * A term of a word in one segment: its postings, the documents in which it may match, and the written forms that
 * match. Null means all documents or all forms.
 */
interface OpenList {
  cursor: PostingsCursor;
  docCount: number;
  isCounted: ((doc: DocId) => boolean) | null;
  forms: ReadonlySet<number> | null;
}

/**
 * Opens the postings lists of a phrase; returns null if the phrase cannot occur in the segment. A word that occurs
 * twice in the phrase gets two cursors.
 */
function openPhrase(
  segment: OpenSegment,
  lists: TermLists,
  words: readonly PhraseTerm[],
  patience: Patience,
): OpenPhrase | null {
  const slots = words.map((word) => openSlot(segment, lists, word, patience));
  return slots.some((slot) => slot.length === 0) ? null : { slots, docs: slots.map(docsOf) };
}

function openSlot(
  segment: OpenSegment,
  lists: TermLists,
  { exact, variants }: PhraseTerm,
  patience: Patience,
): OpenList[] {
  return variants.flatMap(({ term, stemmings }) => {
    if (patience.spendToOpen(OPEN_STEPS)) return [];
    const entry = lists.findTerm(term);
    const forms = entry && wantedForms(entry, exact);
    if (!entry || forms?.size === 0) return [];
    const isCounted = filterOf(segment, stemmings);
    return [{ cursor: lists.postings(entry), docCount: entry.docCount, isCounted, forms }];
  });
}

function docsOf(lists: readonly OpenList[]): DocIterator {
  const docs = lists.map(({ cursor, docCount, isCounted }) => new TermDocs(cursor, docCount, isCounted));
  return docs.length === 1 ? docs[0]! : new AnyOf(docs);
}

/** Returns the positions at which a phrase occurs in the current document; none if the query is late. */
function occurrences({ slots, docs }: OpenPhrase, fields: FieldSet, patience: Patience): Occurrences {
  const lists = slots.map((slot, at) =>
    patience.isOut ? [] : positionsIn(slot, docs[at]!.doc, fields, patience),
  );
  return { starts: runStarts(lists), length: slots.length };
}

/** Returns the positions of a word in a document, ascending. */
function positionsIn(slot: readonly OpenList[], doc: DocId, fields: FieldSet, patience: Patience): number[] {
  const lists = slot
    .filter(({ cursor, isCounted }) => cursor.doc === doc && (isCounted?.(doc) ?? true))
    .map(({ cursor, forms }) => {
      let places = cursor.places();
      patience.spend(places.length);
      if (fields !== ANY_FIELD) places = places.filter((place) => isIn(fields, place));
      if (forms) places = places.filter((place) => forms.has(fieldFormOf(place)));
      return places.map(positionOf);
    });
  return lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b);
}
