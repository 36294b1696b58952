/**
 * Estimates the cost of a query from its text: the number of postings lists that it opens. Lists whose positions are
 * read cost more. The search threads use the estimate so that expensive queries do not delay the others; see
 * search-pool.ts.
 */
import { type Condition, MAX_PREFIX_WORDS, parseQuery } from './language/mod.ts';

/** The cost of a postings list whose positions are read. A list without positions costs 1. */
const POSITIONS_COST = 4;
/**
 * The cost from which a query is expensive: two prefixes, or about thirty words with an operator each. Few users
 * type such queries.
 */
const EXPENSIVE = 2 * MAX_PREFIX_WORDS;

/**
 * Matches queries that are certainly cheap, so that they need not be parsed for the estimate. A query of up to
 * 50 ASCII characters without a prefix has at most 25 words, and a word costs at most 5. Most queries match.
 */
const CERTAINLY_CHEAP = /^[ -)+-~]{0,50}$/;

export function isExpensive(query: string): boolean {
  if (CERTAINLY_CHEAP.test(query)) return false;
  const { words, condition } = parseQuery(query);
  return words.length + (condition ? costOf(condition) : 0) >= EXPENSIVE;
}

function costOf(condition: Condition): number {
  switch (condition.kind) {
    case 'phrase': {
      const [first] = condition.terms;
      const isPrefix = condition.terms.length === 1 && (first?.exact?.endsWith('*') ?? false);
      if (isPrefix) return MAX_PREFIX_WORDS;
      const isWord = condition.terms.length === 1 && first?.exact === null;
      return condition.terms.length * (isWord ? 1 : POSITIONS_COST);
    }
    case 'near':
      return POSITIONS_COST * condition.phrases.flat().length;
    case 'anchor':
      return POSITIONS_COST * condition.terms.length;
    case 'and':
    case 'or':
      return condition.parts.reduce((sum, part) => sum + costOf(part), 0);
    case 'not':
      return costOf(condition.part);
    default:
      return 1;
  }
}
