/** From a condition to the documents of one segment that meet it. Deleted documents are among them. */
import {
  type DocId,
  formOf,
  type OpenSegment,
  type PostingsCursor,
  positionOf,
  type TermLists,
} from '../index/mod.ts';
import { ADDRESS, ANY_FIELD, type Condition, type FieldSet, isIn, type PhraseTerm } from './condition.ts';
import {
  AllOf,
  AnyOf,
  type DocIterator,
  FilteredDocs,
  ListedDocs,
  NOTHING,
  TermDocs,
} from './doc-iterators.ts';
import { hostsOn, kindsOf, languagesOf, typesOf } from './filters.ts';
import { type Occurrences, runStarts, standNear } from './places.ts';
import { filterOf } from './segment-stemmings.ts';
import { wantedForms } from './term-query.ts';

export function matcherOf(condition: Condition, segment: OpenSegment): DocIterator {
  const { reader } = segment;
  const { table, docCount } = reader;
  const filtered = (isMatch: (doc: DocId) => boolean) => new FilteredDocs(docCount, isMatch);
  const build = (part: Condition): DocIterator => {
    switch (part.kind) {
      case 'phrase':
        return isWord(part.terms, part.fields)
          ? wordDocs(segment, part.terms[0]!)
          : phraseDocs(segment, part.terms, part.fields);
      case 'near':
        return nearDocs(segment, part.phrases, part.distances);
      case 'and':
        return part.parts.length === 0 ? filtered(() => true) : new AllOf(part.parts.map(build));
      case 'or':
        return new AnyOf(part.parts.map(build));
      case 'not':
        return notDocs(build(part.part), filtered);
      case 'site':
        return siteDocs(
          segment,
          part.address,
          filtered(among(hostsOn(table.hosts, part.host), table.hostOf)),
        );
      case 'hosts':
        return filtered(
          among(
            Uint8Array.from(table.hosts, (host) => Number(part.isWanted(host))),
            table.hostOf,
          ),
        );
      case 'language':
        return filtered(among(languagesOf(table.languages, part.tag), table.languageOf));
      case 'type':
        return filtered(among(typesOf(table.types, part.name), table.typeOf));
      case 'kind':
        return filtered(among(kindsOf(table.types, part.name), table.typeOf));
      case 'before':
        return filtered((doc) => table.days[doc]! !== 0 && table.days[doc]! < part.day);
      case 'since':
        return filtered((doc) => table.days[doc]! !== 0 && table.days[doc]! >= part.day);
      case 'anchor':
        return anchorDocs(segment, part.terms);
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

function siteDocs(segment: OpenSegment, address: readonly PhraseTerm[], onHosts: DocIterator): DocIterator {
  return address.length === 0 ? onHosts : new AllOf([phraseDocs(segment, address, ADDRESS), onHosts]);
}

function listedDocs({ reader }: OpenSegment, fingerprints: ReadonlySet<bigint>): DocIterator {
  const docs = [...fingerprints].map((one) => reader.findDocument(one)).filter((doc) => doc >= 0);
  return new ListedDocs(Uint32Array.from(docs).sort());
}

/** A word in any form, wherever it stands: also where links say it. What is quoted must be in the document itself. */
function isWord(terms: readonly PhraseTerm[], fields: FieldSet): boolean {
  return terms.length === 1 && terms[0]!.exact === null && fields === ANY_FIELD;
}

/** Under any of its terms. */
function wordDocs(segment: OpenSegment, word: PhraseTerm): DocIterator {
  const { reader, anchors } = segment;
  const lists = [...openSlot(segment, reader, word), ...(anchors ? openSlot(segment, anchors, word) : [])];
  return docsOf(lists);
}

/** The documents of which one link says all of the words, side by side. */
function anchorDocs(segment: OpenSegment, words: readonly PhraseTerm[]): DocIterator {
  const { anchors } = segment;
  const phrase = anchors && openPhrase(segment, anchors, words);
  return phrase ? new AllOf(phrase.docs, () => occurrences(phrase, ANY_FIELD).starts.length > 0) : NOTHING;
}

function phraseDocs(segment: OpenSegment, terms: readonly PhraseTerm[], fields: FieldSet): DocIterator {
  const phrase = openPhrase(segment, segment.reader, terms);
  if (!phrase) return NOTHING;
  const isAnyPlace =
    terms.length === 1 && fields === ANY_FIELD && phrase.slots[0]!.every(({ forms }) => !forms);
  if (isAnyPlace) return phrase.docs[0]!;
  return new AllOf(phrase.docs, () => occurrences(phrase, fields).starts.length > 0);
}

function nearDocs(
  segment: OpenSegment,
  phrases: readonly (readonly PhraseTerm[])[],
  distances: readonly number[],
): DocIterator {
  const open = phrases.map((terms) => openPhrase(segment, segment.reader, terms));
  if (!open.every((phrase) => phrase !== null)) return NOTHING;
  return new AllOf(
    open.flatMap(({ docs }) => docs),
    () =>
      standNear(
        open.map((phrase) => occurrences(phrase, ANY_FIELD)),
        distances,
      ),
  );
}

interface OpenPhrase {
  slots: OpenList[][];
  docs: DocIterator[];
}

/** A term of a word in one segment: its list, for which documents it counts, and which forms do; null if all do. */
interface OpenList {
  cursor: PostingsCursor;
  docCount: number;
  isCounted: ((doc: DocId) => boolean) | null;
  forms: ReadonlySet<number> | null;
}

/** Null if the segment has none of the forms of one of the words. A word that is there twice has cursors for each. */
function openPhrase(segment: OpenSegment, lists: TermLists, words: readonly PhraseTerm[]): OpenPhrase | null {
  const slots = words.map((word) => openSlot(segment, lists, word));
  return slots.some((slot) => slot.length === 0) ? null : { slots, docs: slots.map(docsOf) };
}

function openSlot(segment: OpenSegment, lists: TermLists, { exact, variants }: PhraseTerm): OpenList[] {
  return variants.flatMap(({ term, stemmings }) => {
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

/** Where the phrase stands in the document that all its words are at. */
function occurrences({ slots, docs }: OpenPhrase, fields: FieldSet): Occurrences {
  const lists = slots.map((slot, at) => positionsIn(slot, docs[at]!.doc, fields));
  return { starts: runStarts(lists), length: slots.length };
}

/** Ascending. */
function positionsIn(slot: readonly OpenList[], doc: DocId, fields: FieldSet): number[] {
  const lists = slot
    .filter(({ cursor, isCounted }) => cursor.doc === doc && (isCounted?.(doc) ?? true))
    .map(({ cursor, forms }) => {
      let places = cursor.places();
      if (fields !== ANY_FIELD) places = places.filter((place) => isIn(fields, place));
      if (forms) places = places.filter((place) => forms.has(formOf(place)));
      return places.map(positionOf);
    });
  return lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b);
}
