/**
 * Finds terms for neighbouring plain words that are also written as one word: "data frame" also finds `dataframe`,
 * "render window" finds `RenderWindow`, and `node.js` finds `nodejs`. If the index has the joined term, it is an
 * alternative of each of the words.
 *
 * An identifier of words with underscores is indexed as one term (text/identifiers.ts), and is therefore one word of the
 * query: `is_prime` does not search for "is", nor `unwrap_or_else` for "or" and "else". If no document has the identifier,
 * its words are searched if they are two, else its longest word. If that word matched beside the identifier,
 * `CMAKE_SKIP_RPATH` would seem as common as "cmake".
 */
import { isLongChain, tokenizeIdentifiers } from '../../text/mod.ts';
import type { Alternative } from './interpret-query.ts';
import type { QueryNode } from './tree.ts';

type Words = QueryNode & { kind: 'words' };

const CHAIN = /[\da-z]+(?:_+[\da-z]+)+/gi;
/** Queries with more words are not joined: they are prose, in which neighbouring words are seldom one name. */
const MAX_WORDS = 6;
/** The maximum number of neighbouring words that are joined to one term. */
const MAX_JOINED = 3;
/** The minimum length of a joined term. Shorter ones are often a different word: "to do" is not "todo". */
const MIN_LENGTH = 5;
/** The weight of a joined term. It is below 1, so that documents with the words as typed rank a little higher. */
const JOINED_WEIGHT = 0.9;
/** The weight of the longest word of an identifier that no document has. */
const PART_WEIGHT = 0.1;

/**
 * Splits a text without operators into words. Returns with each word the other terms that match it, such as the
 * longest word of an identifier.
 */
export function readWords(text: string): Pick<Words, 'terms' | 'others'> {
  const chains = [...text.matchAll(CHAIN)].filter(([chain]) => isLongChain(chain));
  const terms: string[] = [];
  const others: Alternative[][] = [];
  tokenizeIdentifiers(text, isName, (term, start, end, isExtra) => {
    const chain = chains.find(({ 0: chain, index }) => start >= index && end <= index + chain.length);
    const isStart = chain?.index === start;
    if (!isExtra && (!chain || isStart)) {
      terms.push(term);
      others.push(isPlusName(text, start, end) ? [{ term: `${term}plus`, weight: JOINED_WEIGHT }] : []);
    } else if (isExtra && isStart && term === wholeOf(chain[0])) {
      others[terms.length - 1] = partsOf(chain[0]);
      terms[terms.length - 1] = term;
    } else if (isExtra && /^\d+\.\d+$/.test(term)) {
      for (const at of [terms.length - 2, terms.length - 1])
        others[at]?.push({ term, weight: JOINED_WEIGHT });
    }
  });
  return { terms, others };
}

const isName = () => true;

/** Returns true for a name with a plus, such as `qlc+`, which hosts and files spell `qlcplus`. */
function isPlusName(text: string, start: number, end: number): boolean {
  return text[end] === '+' && /^[a-z][a-z\d]+\+(?![\w+])/i.test(text.slice(start, end + 2));
}

function wholeOf(chain: string): string {
  return chain.replaceAll('_', '').toLowerCase();
}

/** Returns the words that are searched if no document has the identifier: both of two, or the longest of several. */
function partsOf(chain: string): Alternative[] {
  const parts = chain.toLowerCase().split(/_+/);
  if (parts.length === 2) return parts.map((term) => ({ term, weight: 1, isPart: true }));
  const term = parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
  return [{ term, weight: PART_WEIGHT, isPart: true }];
}

/**
 * Returns the joined terms of a row of plain words, with the range of words that each replaces. `joinWords` uses
 * those that the index has.
 */
export function joinedTerms(words: readonly string[]): { term: string; from: number; to: number }[] {
  const found: { term: string; from: number; to: number }[] = [];
  if (words.length > MAX_WORDS) return found;
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 2; to <= Math.min(words.length, from + MAX_JOINED); to++) {
      const parts = words.slice(from, to);
      const term = parts.join('');
      if (term.length >= MIN_LENGTH && parts.every(isPart)) found.push({ term, from, to });
    }
  }
  return found;
}

/**
 * Returns the words that are identifiers with parts. `joinWords` must know if the index has these identifiers.
 */
export function identifiersIn({ terms, others = [] }: Pick<Words, 'terms' | 'others'>): string[] {
  return terms.filter((_, at) => others[at]?.some(({ isPart }) => isPart));
}

function isPart(word: string): boolean {
  return /^[a-z][a-z\d]+$/.test(word);
}

/**
 * Adds joined terms, such as `dataframe` for "data frame", as alternatives to the plain words among the clauses of a
 * query, and removes the parts of identifiers that the index has.
 */
export function joinWords(parts: readonly QueryNode[], hasWord: (word: string) => boolean): QueryNode[] {
  return rowsOf(parts).flatMap((row) => {
    const [first] = row;
    return first?.kind === 'words' ? joinedRow(row as Words[], hasWord) : row;
  });
}

/**
 * Divides the clauses of a query into rows: neighbouring plain words form one row, and any other clause is a row of
 * its own.
 */
function rowsOf(parts: readonly QueryNode[]): QueryNode[][] {
  const rows: QueryNode[][] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    if (part.kind === 'words' && last?.[0]?.kind === 'words') last.push(part);
    else rows.push([part]);
  }
  return rows;
}

function joinedRow(typed: readonly Words[], hasWord: (word: string) => boolean): Words[] {
  const row = typed.map((node) => withUnknownPairs(node, hasWord));
  const words = row.flatMap(({ terms }) => terms);
  const added: Alternative[][] = words.map(() => []);
  for (const { term, from, to } of joinedTerms(words)) {
    if (!hasWord(term)) continue;
    for (let at = from; at < to; at++) added[at]!.push({ term, weight: JOINED_WEIGHT });
  }
  let next = 0;
  return row.map((node) => ({
    ...node,
    others: node.terms.map((term, at) => [
      ...(node.others?.[at] ?? []).filter(({ isPart }) => !isPart || !hasWord(term)),
      ...added[next++]!,
    ]),
  }));
}

/** Replaces each identifier of two words that the index does not have by its words. */
function withUnknownPairs(node: Words, hasWord: (word: string) => boolean): Words {
  const { terms, others = [] } = node;
  const isUnknown = (at: number) => partWords(others[at]).length === 2 && !hasWord(terms[at]!);
  if (!terms.some((_, at) => isUnknown(at))) return node;
  return {
    ...node,
    terms: terms.flatMap((term, at) => (isUnknown(at) ? partWords(others[at]) : [term])),
    others: terms.flatMap((_, at) => (isUnknown(at) ? [[], []] : [others[at] ?? []])),
  };
}

function partWords(others: readonly Alternative[] = []): string[] {
  return others.filter(({ isPart }) => isPart).map(({ term }) => term);
}
