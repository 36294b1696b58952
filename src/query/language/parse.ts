/**
 * Parses the query language; docs/query-language.md has its grammar and examples.
 *
 *   sequence    = disjunction { disjunction }
 *   disjunction = conjunction { "OR" conjunction }
 *   conjunction = unary { "AND" unary }
 *   unary       = [ "NOT" ] near
 *   near        = primary { "NEAR/n" primary }
 *   primary     = [ "+" | "-" ] ( "(" sequence ")" | phrase | field ":" value | word | word "*" )
 *
 * There are no syntax errors: malformed parts are read as plain words, and a note says so. The tokenizer
 * guarantees that every operator has its operands and that parentheses are balanced; see tokens.ts.
 */

import { isDeepStrictEqual } from 'node:util';
import { isHalfPair } from '../../text/mod.ts';
import { endingsOf } from './endings.ts';
import { ExpansionBudget } from './expansion-budget.ts';
import { isField, readField } from './fields.ts';
import { type InterpretedQuery, interpretQuery, type IsRequired } from './interpret-query.ts';
import { joinWords, readWords } from './joined-words.ts';
import { NO_LOOKUPS, type QueryLookups } from './lookups.ts';
import { type NeededLookups, neededLookups } from './needed-lookups.ts';
import { readPrefix } from './prefix.ts';
import type { QueryNote } from './query-note.ts';
import { termsOf } from './query-words.ts';
import { MAX_QUERY_NESTING, type Token, tokenizeQuery } from './tokens.ts';
import { type QueryNode, textOf } from './tree.ts';

/** The maximum number of words of a query, including excluded words. Further words are ignored. */
export const MAX_QUERY_WORDS = 64;
/** The maximum number of notes on a query. More notes would push the results down the page. */
const MAX_NOTES = 8;
/** The maximum number of characters of the query that a note quotes. */
const QUOTED_LENGTH = 80;
/** Matches an arithmetic expression, such as `2*(3+4)`: digits and signs only. */
const SUM = /^(?=.*\d)[\d\s.,+\-−*/^%!()×·÷√=]+$/;
const SIGNS = /^[-+*<>=|&~]+$/;

export interface ParsedQuery extends InterpretedQuery {
  /** The query as the parser understood it, for display. */
  text: string;
  notes: QueryNote[];
}

/** The tokens of a query, and the index lookups that parsing them needs. */
export interface TokenizedQuery {
  tokens: readonly Token[];
  isTooDeep: boolean;
  isSum: boolean;
  needed: NeededLookups;
  isRequired?: IsRequired;
}

/**
 * Splits a query into tokens. If `isRequired` is given, documents must have the plain words for which it returns true,
 * and an identifier is never searched by its parts. By default a document needs only one of the plain words.
 */
export function readTokens(query: string, isRequired?: IsRequired): TokenizedQuery {
  const { tokens, isTooDeep } = tokenizeQuery(query, isField);
  return {
    ...{ tokens, isTooDeep, isSum: SUM.test(query) },
    needed: neededLookups(tokens, countExpanding(tokens)),
    ...(isRequired && { isRequired }),
  };
}

export function parseQuery(query: string, lookups: QueryLookups = NO_LOOKUPS): ParsedQuery {
  return parseTokens(readTokens(query), lookups);
}

/** Parses the tokens of a query. `lookups` must be able to answer the lookups in `query.needed`. */
export function parseTokens(
  { tokens, isTooDeep, isSum, isRequired }: TokenizedQuery,
  lookups: QueryLookups,
): ParsedQuery {
  const reading = new Reading(tokens, lookups, isSum);
  const tree = reading.sequence();
  const parts = joinWords(tree.parts, (word) => isRequired !== undefined || lookups.hasWord(word));
  const meaning = interpretQuery({ kind: 'sequence', parts }, (terms) => reading.endings(terms), isRequired);
  const { notes } = reading;
  if (isTooDeep) notes.unshift({ code: 'too-deep', values: { number: MAX_QUERY_NESTING } });
  if (meaning.isOnlyExcluding) notes.push({ code: 'only-excluding', values: {} });
  return { ...meaning, text: textOf(tree), notes };
}

/**
 * A recursive-descent parser over the tokens of a query. It stops after MAX_QUERY_WORDS words. Its methods return
 * null for a clause without words.
 */
class Reading {
  readonly notes: QueryNote[] = [];
  readonly #tokens: readonly Token[];
  readonly #lookups: QueryLookups;
  readonly #isSum: boolean;
  readonly #budget: ExpansionBudget;
  #at = 0;
  #room = MAX_QUERY_WORDS;

  constructor(tokens: readonly Token[], lookups: QueryLookups, isSum: boolean) {
    this.#tokens = tokens;
    this.#lookups = lookups;
    this.#isSum = isSum;
    this.#budget = new ExpansionBudget(lookups, countExpanding(tokens));
  }

  /**
   * Parses clauses up to the end of the query or a closing parenthesis. A sequence within another sequence is
   * merged into the outer one.
   */
  sequence(): QueryNode & { kind: 'sequence' } {
    const parts: QueryNode[] = [];
    while (this.#at < this.#tokens.length && !this.#isNext('close')) {
      const part = this.#disjunction();
      if (part?.kind === 'sequence') parts.push(...part.parts);
      else if (part) parts.push(part);
    }
    return { kind: 'sequence', parts };
  }

  /**
   * Returns the words that may replace the last word of a phrase (see endings.ts). Adds a note if there are too
   * many.
   */
  endings(terms: readonly string[]): readonly string[] {
    const { endings, note } = endingsOf(terms, this.#budget);
    if (note !== undefined) this.#note(note);
    return endings;
  }

  #disjunction(): QueryNode | null {
    return joined(
      'or',
      this.#operands('or', () => this.#conjunction()),
    );
  }

  #conjunction(): QueryNode | null {
    return joined(
      'and',
      this.#operands('and', () => this.#unary()),
    );
  }

  #operands(operator: 'and' | 'or', read: () => QueryNode | null): (QueryNode | null)[] {
    const parts = [read()];
    while (this.#isNext(operator)) {
      this.#at++;
      parts.push(read());
    }
    return parts;
  }

  #unary(): QueryNode | null {
    if (!this.#isNext('not')) return this.#near();
    this.#at++;
    const part = this.#near();
    return part && { kind: 'not', part };
  }

  #near(): QueryNode | null {
    const first = this.#primary();
    const parts = [first];
    const distances: number[] = [];
    for (let token = this.#tokens[this.#at]; token?.kind === 'near'; token = this.#tokens[this.#at]) {
      this.#at++;
      distances.push(token.distance);
      parts.push(this.#primary());
    }
    if (parts.length === 1) return first;
    const isWhole = parts.every((part) => part?.kind === 'words' || part?.kind === 'phrase');
    return isWhole
      ? { kind: 'near', parts: parts.filter((part) => part !== null), distances }
      : joined('and', parts);
  }

  #primary(): QueryNode | null {
    const token = this.#tokens[this.#at++]!;
    switch (token.kind) {
      case 'open': {
        const group = this.sequence();
        this.#at++;
        return group.parts.length === 0
          ? null
          : signed(token.sign, group.parts.length === 1 ? group.parts[0]! : group);
      }
      case 'phrase':
        return this.#phrase(token);
      case 'run':
        return this.#run(token);
      default:
        return this.#plain(token.text);
    }
  }

  #phrase(token: Token & { kind: 'phrase' }): QueryNode | null {
    if (token.field !== '') return this.#field(token, token.field, token.value, true);
    const all = termsOf(token.value);
    if (all.length === 0) return this.#plain(token.text);
    const terms = this.#fitting(all);
    if (terms.length === 0) return null;
    const text = terms.length === all.length ? token.value : terms.join(' ');
    return signed(token.sign, { kind: 'phrase', terms, text: `"${text}"` });
  }

  #run(token: Token & { kind: 'run' }): QueryNode | null {
    const [, name, value] = (token.value.includes(':') && /^([a-z]+):(.*)$/is.exec(token.value)) || [];
    if (name !== undefined && isField(name.toLowerCase())) {
      return this.#field(token, name.toLowerCase(), value!, false);
    }
    if (token.value.endsWith('*')) return this.#prefix(token);
    if (token.sign === '') return this.#words(token.value);
    const terms = termsOf(token.value);
    if (terms.length === 0 || /^[+-]/.test(token.value)) return this.#plain(token.text);
    return this.#take(terms.length) ? signed(token.sign, { kind: 'words', terms, text: token.value }) : null;
  }

  #words(text: string): QueryNode | null {
    const { terms: all, others = [] } = readWords(text);
    const terms = this.#fitting(all);
    if (terms.length < all.length || terms.length === 0) return sideBySide(terms);
    if (terms.length > 1) return { kind: 'words', terms, text, others };
    return { kind: 'words', terms, text, others: [[...others[0]!, ...this.#lookups.synonymsOf(terms[0]!)]] };
  }

  #prefix(token: Token & { kind: 'run' }): QueryNode | null {
    const prefix = readPrefix(token.value, this.#budget);
    if (!prefix) return this.#plain(token.text);
    if (!this.#take(1)) return null;
    if (prefix.note !== undefined) this.#note(prefix.note);
    const { term, words } = prefix;
    return signed(token.sign, { kind: 'prefix', term, terms: words, text: `${term}*` });
  }

  #field(
    token: Token & { kind: 'run' | 'phrase' },
    name: string,
    typed: string,
    isQuoted: boolean,
  ): QueryNode | null {
    const terms = termsOf(typed);
    if (this.#room === 0 && !this.#take(1)) return null;
    const isTooLong = isQuoted && terms.length > this.#room;
    const value = isTooLong ? terms.slice(0, this.#room).join(' ') : typed;
    const reading = readField(name, value, this.#lookups, isQuoted, this.#budget);
    if (!reading) return this.#plain(token.text);
    if (!this.#take(Math.max(1, terms.length)) && !isTooLong) return null;
    if (reading.note !== undefined) this.#note(reading.note);
    const { condition, words, completions, isFilter } = reading;
    const text = `${name}:${isQuoted ? `"${reading.value}"` : reading.value}`;
    return signed(token.sign, { kind: 'field', condition, words, completions, text, isFilter });
  }

  /**
   * Reads a malformed part of the query as plain words and adds a note. There is no note for an arithmetic
   * expression or for a single sign, which users do not mean as operators.
   */
  #plain(text: string): QueryNode | null {
    if (!this.#isSum && !SIGNS.test(text))
      this.#note({ code: 'plain-words', values: { text: shortened(text) } });
    return sideBySide(this.#fitting(termsOf(text)));
  }

  /** Returns the first of the words, as many as the maximum length of a query allows. */
  #fitting(terms: readonly string[]): readonly string[] {
    const taken = terms.slice(0, this.#room);
    this.#take(terms.length);
    return taken;
  }

  #isNext(kind: Token['kind']): boolean {
    return this.#tokens[this.#at]?.kind === kind;
  }

  /**
   * Reserves `count` words of the maximum length of the query. If fewer are left, adds a note, returns false and
   * accepts no further words.
   */
  #take(count: number): boolean {
    if (count <= this.#room) {
      this.#room -= count;
      return true;
    }
    this.#room = 0;
    this.#note({ code: 'too-many-words', values: { number: MAX_QUERY_WORDS } });
    return false;
  }

  #note(note: QueryNote): void {
    if (this.notes.length >= MAX_NOTES) return;
    const isKnown = this.notes.some((known) => isDeepStrictEqual(known, note));
    if (!isKnown) this.notes.push(note);
  }
}

/** Returns the number of clauses that share the expansion budget, such as prefixes. */
function countExpanding(tokens: readonly Token[]): number {
  return Math.min(MAX_QUERY_WORDS, tokens.filter(isExpanding).length);
}

/** Returns true if a token, such as `conn*`, may expand to words that were not typed; see expansion-budget.ts. */
function isExpanding(token: Token): boolean {
  if (token.kind === 'run' && token.value.endsWith('*')) return true;
  if ((token.kind !== 'run' && token.kind !== 'phrase') || !isHalfPair(token.value.slice(-1))) return false;
  const terms = termsOf(token.value);
  return terms.length > 1 && isHalfPair(terms.at(-1)!);
}

function shortened(text: string): string {
  return text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text;
}

/**
 * Joins operands with AND or OR. Operands that use the same operator are merged: `a AND (b AND c)` has three
 * operands.
 */
function joined(kind: 'and' | 'or', operands: readonly (QueryNode | null)[]): QueryNode | null {
  const parts = operands.filter((part) => part !== null);
  if (parts.length < 2) return parts[0] ?? null;
  return { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };
}

function sideBySide(terms: readonly string[]): QueryNode | null {
  const parts = terms.map((term): QueryNode => ({ kind: 'words', terms: [term], text: term }));
  return parts.length > 1 ? { kind: 'sequence', parts } : (parts[0] ?? null);
}

function signed(sign: '' | '+' | '-', part: QueryNode): QueryNode {
  if (sign === '') return part;
  return { kind: sign === '+' ? 'must' : 'not', part };
}
