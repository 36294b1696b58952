/**
 * Finds the lookups that parsing a query needs, from its tokens alone. The parser is synchronous, and the
 * words and pages of an index may be in other processes; they are gathered before the query is parsed.
 *
 * The result may name more than the parser asks for: the parser ignores what comes after the last word that
 * fits into a query.
 */
import { isHalfPair } from '../../text/mod.ts';
import { type Address, addressOf } from './address.ts';
import { MAX_ENDINGS } from './endings.ts';
import { expansionShare, MAX_EXPANSIONS } from './expansion-budget.ts';
import { isField, RELATED_EXPANSIONS } from './fields.ts';
import { joinedTerms, readWords } from './joined-words.ts';
import { MAX_PREFIX_WORDS } from './prefix.ts';
import { termsOf } from './query-words.ts';
import type { Token } from './tokens.ts';

export interface NeededLookups {
  /** Words by prefix: `limit` of them, the most common, among the first `maxRead` of each segment. */
  prefixes: readonly PrefixLookup[];
  /** Words that neighbouring words of the query make together; see joined-words.ts. */
  joined: readonly string[];
  /** Pages after `link:` and `related:`. */
  addresses: readonly Address[];
  /** The addresses after `related:`, whose words are needed. */
  related: readonly Address[];
}

export interface PrefixLookup {
  prefix: string;
  limit: number;
  maxRead: number;
}

/** A query has at most this many words, so it has no more prefixes either. */
const MAX_PREFIXES = 64;
const MAX_ADDRESSES = 64;

/** `expanding` is the number of clauses that share the expansion budget. */
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

/** Only words in a row of plain words are joined. */
function joinedIn(tokens: readonly Token[]): string[] {
  const rows: string[][] = [[]];
  for (const token of tokens) {
    const isPlain = token.kind === 'run' && token.sign === '' && !isField(fieldOf(token).name);
    if (isPlain) rows.at(-1)!.push(...readWords(token.value).terms);
    else rows.push([]);
  }
  return [...new Set(rows.flatMap((row) => joinedTerms(row).map(({ term }) => term)))];
}

type ValuedToken = Token & { kind: 'run' | 'phrase' };

function fieldOf(token: ValuedToken): { name: string; value: string } {
  if (token.kind === 'phrase') return { name: token.field, value: token.value };
  const [, name = '', value = token.value] = /^([a-z]+):(.*)$/is.exec(token.value) ?? [];
  return { name: name.toLowerCase(), value };
}

/**
 * Asks for two words more than are used: one of them may be the prefix itself, the other shows that there are more
 * words.
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

/** A run such as `a:b*` may be a field with a value, or words with a colon: both readings need their lookups. */
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
