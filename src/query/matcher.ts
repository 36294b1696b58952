/**
 * The documents of one segment that match a query, in order.
 *
 * A document matches if it is live, has at least one of the words, all of the phrases, none of what is
 * excluded, and is on one of the sites. A query of sites alone matches all of their documents.
 *
 * Invariant: after `next` has returned a document, every word's cursor stands on it or behind it. So a
 * document has a word if and only if the word's cursor stands on it.
 */
import {
  type DocId,
  formOf,
  NO_MORE_DOCS,
  type OpenSegment,
  type PostingsCursor,
  positionOf,
  type TermEntry,
} from '../index/mod.ts';
import type { SearchedSegment } from './statistics.ts';
import { type PhraseTerm, type TermQuery, wantedForms } from './term-query.ts';

/** A word of a phrase in one segment: its list, and which forms count there; null if all do. */
interface Slot {
  cursor: PostingsCursor;
  forms: ReadonlySet<number> | null;
}

export class Matcher {
  readonly #segment: OpenSegment;
  readonly #cursors: (PostingsCursor | null)[];
  readonly #present: PostingsCursor[];
  readonly #phrases: Slot[][];
  readonly #required: PostingsCursor[];
  readonly #excluded: Slot[][];
  readonly #hosts: Uint8Array | null;
  readonly #matchesAll: boolean;
  #doc: DocId = -1;

  constructor(query: TermQuery, { segment, entries }: SearchedSegment) {
    this.#segment = segment;
    this.#cursors = entries.map((entry) => entry && segment.reader.postings(entry));
    this.#present = this.#cursors.filter((cursor) => cursor !== null);
    const phrases = query.phrases.map((terms) =>
      terms.map((term) => {
        const word = query.words.indexOf(term.term);
        return slotOf(entries[word] ?? null, this.#cursors[word] ?? null, term);
      }),
    );
    if (!phrases.every(isComplete)) this.#doc = NO_MORE_DOCS;
    this.#phrases = phrases.filter(isComplete);
    this.#required = [...new Set(this.#phrases.flat().map(({ cursor }) => cursor))];
    this.#excluded = query.excluded.map((terms) => slotsOf(segment, terms)).filter(isComplete);
    this.#hosts = wantedHosts(segment.reader.table.hosts, query);
    this.#matchesAll = query.words.length === 0 && query.sites.length > 0;
  }

  /** Per word of the query; null where the segment does not have it. */
  get cursors(): readonly (PostingsCursor | null)[] {
    return this.#cursors;
  }

  next(): DocId {
    while (this.#doc !== NO_MORE_DOCS) {
      this.#doc = this.#nextCandidate();
      if (this.#doc !== NO_MORE_DOCS && this.#accepts(this.#doc)) break;
    }
    return this.#doc;
  }

  #nextCandidate(): DocId {
    if (this.#required.length > 0) return this.#nextWithAll();
    if (this.#matchesAll) return this.#doc + 1 < this.#segment.reader.docCount ? this.#doc + 1 : NO_MORE_DOCS;
    return this.#nextWithAny();
  }

  #nextWithAny(): DocId {
    let least = NO_MORE_DOCS;
    for (const cursor of this.#present) {
      const doc = cursor.doc === this.#doc ? cursor.advance() : cursor.doc;
      if (doc < least) least = doc;
    }
    return least;
  }

  /** The required lists leap over each other until they agree; the other words follow. */
  #nextWithAll(): DocId {
    const required = this.#required;
    let target = this.#doc + 1;
    for (let agreed = 0, i = 0; agreed < required.length; i = (i + 1) % required.length) {
      const doc = required[i]!.seek(target);
      if (doc === NO_MORE_DOCS) return NO_MORE_DOCS;
      agreed = doc === target ? agreed + 1 : 1;
      target = doc;
    }
    for (const cursor of this.#present) cursor.seek(target);
    return target;
  }

  /** The dear checks come last. */
  #accepts(doc: DocId): boolean {
    const { deletes, reader } = this.#segment;
    return (
      !deletes.has(doc) &&
      (this.#hosts === null || this.#hosts[reader.table.hostOf[doc]!] === 1) &&
      this.#phrases.every(standsTogether) &&
      !this.#excluded.some(
        (phrase) => phrase.every(({ cursor }) => cursor.seek(doc) === doc) && standsTogether(phrase),
      )
    );
  }
}

/** Whether there is a position from which the lists go on one by one. */
export function followEachOther(lists: readonly (readonly number[])[]): boolean {
  let starts = lists[0] ?? [];
  for (const [distance, list] of lists.entries()) {
    let at = 0;
    starts = starts.filter((start) => {
      while (at < list.length && list[at]! < start + distance) at++;
      return list[at] === start + distance;
    });
  }
  return starts.length > 0;
}

/** All cursors stand on the same document. */
function standsTogether(phrase: readonly Slot[]): boolean {
  if (phrase.length === 1 && phrase[0]!.forms === null) return true;
  return followEachOther(phrase.map(positionsOf));
}

function positionsOf({ cursor, forms }: Slot): number[] {
  const places = cursor.places();
  return (forms ? places.filter((place) => forms.has(formOf(place))) : places).map(positionOf);
}

function slotsOf({ reader }: OpenSegment, terms: readonly PhraseTerm[]): (Slot | null)[] {
  return terms.map((term) => {
    const entry = reader.findTerm(term.term);
    return slotOf(entry, entry && reader.postings(entry), term);
  });
}

/** Null if the segment has no form that will do. */
function slotOf(entry: TermEntry | null, cursor: PostingsCursor | null, { exact }: PhraseTerm): Slot | null {
  if (!entry || !cursor) return null;
  const forms = wantedForms(entry, exact);
  return forms?.size === 0 ? null : { cursor, forms };
}

function isComplete(phrase: (Slot | null)[]): phrase is Slot[] {
  return !phrase.includes(null);
}

/** 1 for each host of the segment that the query's sites allow; null if they allow all. */
function wantedHosts(hosts: readonly string[], { sites, excludedSites }: TermQuery): Uint8Array | null {
  if (sites.length + excludedSites.length === 0) return null;
  const isOn = (host: string) => (site: string) => host === site || host.endsWith(`.${site}`);
  return Uint8Array.from(hosts, (host) => {
    const isWanted = sites.length === 0 || sites.some(isOn(host));
    return isWanted && !excludedSites.some(isOn(host)) ? 1 : 0;
  });
}
