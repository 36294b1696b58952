/**
 * The query language.
 *
 *   word            ranks documents that have it; any word will do, more are better
 *   "some words"    must stand in the document side by side, in this order
 *   -word  -"…"     must not be there
 *   site:host       only this host and those below it; several mean any of them
 *   -site:host      none of those
 *
 * A searcher makes no errors: what is malformed (an open quote, a lone minus, `site:` with nothing) is read
 * as plain words, and a note says so. A word that the tokenizer takes apart, like `node.js`, is read as its
 * parts; ranking prefers documents where they stand together. After a minus it is a phrase.
 */
import { tokenize } from '../text/mod.ts';
import { canonicalize, hostOf, pathOf } from '../url/mod.ts';

/** Words of a query, those to exclude included; what follows is ignored. */
export const MAX_WORDS = 64;

export interface ParsedQuery {
  /** The query as it was understood, for display. */
  text: string;
  notes: string[];
  /** Every term to rank by, once, in order; those of phrases too. */
  words: string[];
  /** All must occur. A phrase of one term is a word that must occur. */
  phrases: string[][];
  /** None may occur. */
  excluded: string[][];
  sites: string[];
  excludedSites: string[];
  /** Hosts that the searcher's own rules leave out; not part of what was typed. */
  blocks?: (host: string) => boolean;
}

export function parseQuery(query: string): ParsedQuery {
  const reading = new Reading();
  for (const clause of clausesOf(query.replace(/[“”„]/g, '"'))) reading.add(clause);
  return reading.finish();
}

type Clause =
  | { kind: 'words'; terms: string[]; text: string }
  | { kind: 'phrase'; terms: string[]; text: string; isExcluded: boolean }
  | { kind: 'site'; host: string; text: string; isExcluded: boolean; hasPath: boolean }
  | { kind: 'malformed'; text: string };

/** A closed phrase; or a quote that nothing closes; or a run without spaces and quotes. */
const CLAUSE = /-?"([^"]*)"|-?"|[^\s"]+/g;

function* clausesOf(query: string): Generator<Clause> {
  for (const match of query.matchAll(CLAUSE)) {
    const [text, phrase] = match;
    if (phrase !== undefined) yield phraseClause(text, phrase, text.startsWith('-'));
    else if (!text.endsWith('"')) yield runClause(text);
    else {
      yield { kind: 'malformed', text: query.slice(match.index).trim() };
      return;
    }
  }
}

function phraseClause(text: string, phrase: string, isExcluded: boolean): Clause {
  const terms = termsOf(phrase);
  return terms.length > 0 ? { kind: 'phrase', terms, text, isExcluded } : { kind: 'malformed', text };
}

function runClause(text: string): Clause {
  const [, minus, site, rest] = /^(-?)(site:)?(.*)$/is.exec(text)!;
  if (site) return siteClause(text, rest!, minus === '-');
  if (!minus) return { kind: 'words', terms: termsOf(text), text };
  return rest!.startsWith('-') ? { kind: 'malformed', text } : phraseClause(text, rest!, true);
}

function siteClause(text: string, value: string, isExcluded: boolean): Clause {
  const url = canonicalize(value.includes('://') ? value : `http://${value.replace(/^[*.]+/, '')}`);
  if (value === '' || !url) return { kind: 'malformed', text };
  const host = hostOf(url);
  const hasPath = pathOf(url) !== '/';
  return { kind: 'site', host, text: `${isExcluded ? '-' : ''}site:${host}`, isExcluded, hasPath };
}

/** Gathers clauses as long as there is room for their words. */
class Reading {
  readonly #query: ParsedQuery = {
    text: '',
    notes: [],
    words: [],
    phrases: [],
    excluded: [],
    sites: [],
    excludedSites: [],
  };
  readonly #understood: string[] = [];
  #room = MAX_WORDS;

  add(clause: Clause): void {
    if (clause.kind === 'malformed') {
      const terms = termsOf(clause.text);
      addOnce(this.#query.notes, `Read as plain words: ${clause.text}`);
      this.#addWords(terms, terms.join(' '));
    } else if (clause.kind === 'words') {
      this.#addWords(clause.terms, clause.text);
    } else if (clause.kind === 'phrase') {
      this.#addPhrase(clause.terms, clause.text, clause.isExcluded);
    } else if (this.#take(1)) {
      if (clause.hasPath) addOnce(this.#query.notes, `site: looks at the host alone: ${clause.host}`);
      this.#understood.push(clause.text);
      addOnce(clause.isExcluded ? this.#query.excludedSites : this.#query.sites, clause.host);
    }
  }

  finish(): ParsedQuery {
    const { words, sites, excluded, excludedSites, notes } = this.#query;
    if (words.length + sites.length === 0 && excluded.length + excludedSites.length > 0) {
      notes.push('The query only says what to leave out; add a word to search for.');
    }
    return { ...this.#query, text: this.#understood.join(' ') };
  }

  #addWords(terms: string[], text: string): void {
    const taken = terms.slice(0, this.#room);
    const fits = this.#take(terms.length);
    for (const term of taken) addOnce(this.#query.words, term);
    if (taken.length > 0) this.#understood.push(fits ? text : taken.join(' '));
  }

  #addPhrase(terms: string[], text: string, isExcluded: boolean): void {
    if (!this.#take(terms.length)) return;
    this.#understood.push(text);
    (isExcluded ? this.#query.excluded : this.#query.phrases).push(terms);
    if (!isExcluded) for (const term of terms) addOnce(this.#query.words, term);
  }

  /** False, with a note, if there is no room for so many more words; then there is none for any. */
  #take(count: number): boolean {
    if (count <= this.#room) {
      this.#room -= count;
      return true;
    }
    this.#room = 0;
    addOnce(this.#query.notes, `Only the first ${MAX_WORDS} words are used.`);
    return false;
  }
}

function addOnce(list: string[], item: string): void {
  if (!list.includes(item)) list.push(item);
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  tokenize(text, (term) => terms.push(term));
  return terms;
}
