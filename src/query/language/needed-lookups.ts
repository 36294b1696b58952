/**
 * Finds the index lookups that parsing a query will need, such as the words for a prefix, from the tokens of the
 * query. They are made before parsing, because the parser is synchronous and the index may be in other processes.
 *
 * The result may have lookups that the parser does not use: words over the maximum length of a query are ignored.
 */
import { isHalfPair } from '../../text/mod.ts';
import { type Address, addressOf } from './address.ts';
import { MAX_ENDINGS } from './endings.ts';
import { expansionShare, MAX_EXPANSIONS } from './expansion-budget.ts';
import { isField, RELATED_EXPANSIONS } from './fields.ts';
import { identifiersIn, joinedTerms, readWords } from './joined-words.ts';
import { MAX_PREFIX_WORDS } from './prefix.ts';
import { termsOf } from './query-words.ts';
import type { Token } from './tokens.ts';

export interface NeededLookups {
  /**
   * The prefixes of the query. For each, the `limit` most common words among the first `maxRead` of each segment are
   * needed.
   */
  prefixes: readonly PrefixLookup[];
  /** Joined terms of neighbouring words, such as `dataframe` for "data frame", and identifiers; see joined-words.ts. */
  joined: readonly string[];
  /** The URLs that the query has after `link:` and `related:`. */
  addresses: readonly Address[];
  /** The URLs after `related:`. The most characteristic words of these pages are needed. */
  related: readonly Address[];
}

export interface PrefixLookup {
  prefix: string;
  limit: number;
  maxRead: number;
}

/** The maximum number of prefixes whose words are looked up. It equals the maximum number of words of a query. */
const MAX_PREFIXES = 64;
const MAX_ADDRESSES = 64;

/**
 * Returns the lookups that parsing the tokens will need. `expanding` is the number of clauses that share the
 * expansion budget, such as prefixes.
 */
export function neededLookups(tokens: readonly Token[], expanding: number): NeededLookups {
  const valued = tokens.filter((token) => token.kind === 'run' || token.kind === 'phrase');
  const fields = valued.map(fieldOf).filter(({ name }) => name === 'link' || name === 'related');
  const joined = joinedIn(tokens);
  if (expanding === 0 && fields.length === 0) return { prefixes: [], joined, addresses: [], related: [] };
  const addresses = fields.slice(0, MAX_ADDRESSES).flatMap(({ name, value }) => {
    const address = addressOf(value);
    return address ? [{ name, address }] : [];
  });
  return {
    prefixes: prefixesOf(valued, expansionShare(expanding)),
    joined,
    addresses: addresses.map(({ address }) => address),
    related: addresses
      .filter(({ name }) => name === 'related')
      .slice(0, MAX_EXPANSIONS / RELATED_EXPANSIONS)
      .map(({ address }) => address),
  };
}

/**
 * Returns the joined terms of each row of plain words, and the identifiers in them. A clause with an operator or a
 * field ends a row.
 */
function joinedIn(tokens: readonly Token[]): string[] {
  const rows: string[][] = [[]];
  const identifiers: string[] = [];
  for (const token of tokens) {
    const isPlain = token.kind === 'run' && token.sign === '' && !isField(fieldOf(token).name);
    if (!isPlain) {
      rows.push([]);
      continue;
    }
    const words = readWords(token.value);
    rows.at(-1)!.push(...words.terms);
    identifiers.push(...identifiersIn(words));
  }
  const joined = rows.flatMap((row) => joinedTerms(row).map(({ term }) => term));
  return [...new Set([...joined, ...identifiers])];
}

type ValuedToken = Token & { kind: 'run' | 'phrase' };

function fieldOf(token: ValuedToken): { name: string; value: string } {
  if (token.kind === 'phrase') return { name: token.field, value: token.value };
  const [, name = '', value = token.value] = /^([a-z]+):(.*)$/is.exec(token.value) ?? [];
  return { name: name.toLowerCase(), value };
}

/**
 * Requests two words more per prefix than the parser uses: one of them may be the prefix itself, and the other shows
 * that the index has further words with the prefix.
 */
function prefixesOf(
  tokens: readonly ValuedToken[],
  share: { words: number; maxRead: number },
): PrefixLookup[] {
  const limits = new Map<string, number>();
  for (const token of tokens) {
    for (const { prefix, most } of beginningsIn(token)) {
      const limit = Math.max(1, Math.min(most, share.words)) + 2;
      if (limits.size < MAX_PREFIXES || limits.has(prefix))
        limits.set(prefix, Math.max(limit, limits.get(prefix) ?? 0));
    }
  }
  return Array.from(limits, ([prefix, limit]) => ({ prefix, limit, maxRead: share.maxRead }));
}

/**
 * Returns the prefixes in a token. A text such as `a:b*` may be a field with a value or words with a colon, so the
 * prefixes of both readings are returned.
 */
function beginningsIn(token: ValuedToken): { prefix: string; most: number }[] {
  if (token.kind === 'run' && token.value.endsWith('*')) {
    const values = new Set([token.value, fieldOf(token).value]);
    return [...values].flatMap((value) => {
      const [prefix = '', ...rest] = termsOf(value.replace(/\*+$/, ''));
      return rest.length === 0 && prefix !== '' ? [{ prefix, most: MAX_PREFIX_WORDS }] : [];
    });
  }
  if (!isHalfPair(token.value.slice(-1))) return [];
  const last = termsOf(fieldOf(token).value).at(-1);
  return last !== undefined && isHalfPair(last) ? [{ prefix: last, most: MAX_ENDINGS }] : [];
}
