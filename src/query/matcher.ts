/** From a condition to the documents of one segment that meet it. Deleted documents are among them. */
import {
  type DocId,
  formOf,
  type OpenSegment,
  type PostingsCursor,
  positionOf,
  type TermLists,
} from '../index/mod.ts';
import { ANY_FIELD, type Condition, type FieldSet, isIn, type PhraseTerm } from './condition.ts';
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
import { wantedForms } from './term-query.ts';

export function matcherOf(condition: Condition, segment: OpenSegment): DocIterator {
  const { reader } = segment;
  const { table, docCount } = reader;
  const filtered = (isMatch: (doc: DocId) => boolean) => new FilteredDocs(docCount, isMatch);
  const build = (part: Condition): DocIterator => {
    switch (part.kind) {
      case 'phrase':
        return isWord(part.terms, part.fields)
          ? wordDocs(segment, part.terms[0]!.term)
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
        return filtered(among(hostsOn(table.hosts, part.host), table.hostOf));
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

function listedDocs({ reader }: OpenSegment, fingerprints: ReadonlySet<bigint>): DocIterator {
  const docs = [...fingerprints].map((one) => reader.findDocument(one)).filter((doc) => doc >= 0);
  return new ListedDocs(Uint32Array.from(docs).sort());
}

/** A word in any form, wherever it stands: also where links say it. What is quoted must be in the document itself. */
function isWord(terms: readonly PhraseTerm[], fields: FieldSet): boolean {
  return terms.length === 1 && terms[0]!.exact === null && fields === ANY_FIELD;
}

function wordDocs({ reader, anchors }: OpenSegment, term: string): DocIterator {
  const parts = [termDocs(reader, term), anchors && termDocs(anchors, term)].filter((part) => part !== null);
  return parts.length === 1 ? parts[0]! : new AnyOf(parts);
}

function termDocs(lists: TermLists, term: string): TermDocs | null {
  const entry = lists.findTerm(term);
  return entry && new TermDocs(lists.postings(entry), entry.docCount);
}

/** The documents of which one link says all of the terms, side by side. */
function anchorDocs({ anchors }: OpenSegment, terms: readonly string[]): DocIterator {
  const entries = terms.map((term) => anchors?.findTerm(term) ?? null);
  if (!anchors || !entries.every((entry) => entry !== null)) return NOTHING;
  const cursors = entries.map((entry) => anchors.postings(entry));
  const docs = cursors.map((cursor, at) => new TermDocs(cursor, entries[at]!.docCount));
  return new AllOf(
    docs,
    () => runStarts(cursors.map((cursor) => cursor.places().map(positionOf))).length > 0,
  );
}

function phraseDocs(segment: OpenSegment, terms: readonly PhraseTerm[], fields: FieldSet): DocIterator {
  const phrase = openPhrase(segment, terms);
  if (!phrase) return NOTHING;
  if (terms.length === 1 && fields === ANY_FIELD && !phrase.slots[0]!.forms) return phrase.docs[0]!;
  return new AllOf(phrase.docs, () => occurrences(phrase, fields).starts.length > 0);
}

function nearDocs(
  segment: OpenSegment,
  phrases: readonly (readonly PhraseTerm[])[],
  distances: readonly number[],
): DocIterator {
  const open = phrases.map((terms) => openPhrase(segment, terms));
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
  slots: Slot[];
  docs: DocIterator[];
}

/** A word of a phrase in one segment: its list, and which forms count there; null if all do. */
interface Slot {
  cursor: PostingsCursor;
  forms: ReadonlySet<number> | null;
}

/** Null if the segment has none of the forms of one of the terms. A term that is there twice has a cursor for each. */
function openPhrase({ reader }: OpenSegment, terms: readonly PhraseTerm[]): OpenPhrase | null {
  const phrase: OpenPhrase = { slots: [], docs: [] };
  for (const { term, exact } of terms) {
    const entry = reader.findTerm(term);
    const forms = entry && wantedForms(entry, exact);
    if (!entry || forms?.size === 0) return null;
    const cursor = reader.postings(entry);
    phrase.slots.push({ cursor, forms });
    phrase.docs.push(new TermDocs(cursor, entry.docCount));
  }
  return phrase;
}

/** Where the phrase stands in the document that all its cursors are at. */
function occurrences({ slots }: OpenPhrase, fields: FieldSet): Occurrences {
  const lists = slots.map(({ cursor, forms }) => {
    let places = cursor.places();
    if (fields !== ANY_FIELD) places = places.filter((place) => isIn(fields, place));
    if (forms) places = places.filter((place) => forms.has(formOf(place)));
    return places.map(positionOf);
  });
  return { starts: runStarts(lists), length: slots.length };
}
