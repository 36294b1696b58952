/**
 * The documents of one segment that match a query, in order.
 *
 * A document matches if it is live, has at least one of the words, all of the phrases, none of what is
 * excluded, and is on one of the sites. A query of sites alone matches all of their documents.
 *
 * Invariant: after `next` has returned a document, every word's cursor stands on it or behind it. So a
 * document has a word if and only if the word's cursor stands on it.
 */
import { type DocId, NO_MORE_DOCS, type OpenSegment, type PostingsCursor, positionOf } from '../index/mod.ts';
import type { ParsedQuery } from './parse.ts';
import type { SearchedSegment } from './statistics.ts';

export class Matcher {
  readonly #segment: OpenSegment;
  readonly #cursors: (PostingsCursor | null)[];
  readonly #present: PostingsCursor[];
  readonly #phrases: PostingsCursor[][];
  readonly #required: PostingsCursor[];
  readonly #excluded: PostingsCursor[][];
  readonly #hosts: Uint8Array | null;
  readonly #matchesAll: boolean;
  #doc: DocId = -1;

  constructor(query: ParsedQuery, { segment, entries }: SearchedSegment) {
    this.#segment = segment;
    this.#cursors = entries.map((entry) => entry && segment.reader.postings(entry));
    this.#present = this.#cursors.filter((cursor) => cursor !== null);
    const phrases = query.phrases.map((terms) =>
      terms.map((term) => this.#cursors[query.words.indexOf(term)] ?? null),
    );
    if (!phrases.every(isComplete)) this.#doc = NO_MORE_DOCS;
    this.#phrases = phrases.filter(isComplete);
    this.#required = [...new Set(this.#phrases.flat())];
    this.#excluded = query.excluded.map((terms) => cursorsOf(segment, terms)).filter(isComplete);
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
        (phrase) => phrase.every((cursor) => cursor.seek(doc) === doc) && standsTogether(phrase),
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
function standsTogether(phrase: readonly PostingsCursor[]): boolean {
  return phrase.length === 1 || followEachOther(phrase.map((cursor) => cursor.places().map(positionOf)));
}

function cursorsOf({ reader }: OpenSegment, terms: readonly string[]): (PostingsCursor | null)[] {
  return terms.map((term) => {
    const entry = reader.findTerm(term);
    return entry && reader.postings(entry);
  });
}

function isComplete(phrase: (PostingsCursor | null)[]): phrase is PostingsCursor[] {
  return !phrase.includes(null);
}

/** 1 for each host of the segment that the query's sites allow; null if they allow all. */
function wantedHosts(
  hosts: readonly string[],
  { sites, excludedSites, blocks }: ParsedQuery,
): Uint8Array | null {
  if (sites.length + excludedSites.length === 0 && !blocks) return null;
  const isOn = (host: string) => (site: string) => host === site || host.endsWith(`.${site}`);
  return Uint8Array.from(hosts, (host) => {
    const isWanted = sites.length === 0 || sites.some(isOn(host));
    return isWanted && !excludedSites.some(isOn(host)) && !blocks?.(host) ? 1 : 0;
  });
}
