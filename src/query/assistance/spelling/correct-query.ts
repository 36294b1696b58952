/**
 * Corrects the plain words of a query and leaves the rest unchanged. Quoted phrases and clauses with an
 * operator (`-word`, `+word`, `conn*`, `site:…`, `AND`) are meant literally. Words on both sides of such a
 * clause are not context for each other.
 *
 *   htpt clinet site:example.org  ->  http client site:example.org
 */
import { tokenize } from '../../../text/mod.ts';
import type { Corrector } from './corrector.ts';

const CLAUSE = /\(?[-+]?"[^"]*"?|\S+/g;
const OPERATOR = /^(?:AND|OR|NOT|NEAR(?:\/\d+)?)$/;
/** The maximum number of words that are corrected, because each takes time. */
const MAX_WORDS = 16;

interface Word {
  term: string;
  start: number;
  end: number;
}

export interface Correction {
  query: string;
  /** The words that were replaced, and their replacements. */
  changes: readonly { typed: string; meant: string }[];
}

/** Returns null if there is nothing to correct. */
export function correctQuery(query: string, corrector: Corrector): Correction | null {
  const changes = runsOf(query).flatMap((run) => changesOf(run, corrector));
  if (changes.length === 0) return null;
  let corrected = '';
  let at = 0;
  for (const { meant, start, end } of changes) {
    corrected += query.slice(at, start) + meant;
    at = end;
  }
  return { query: corrected + query.slice(at), changes };
}

interface Change extends Word {
  typed: string;
  meant: string;
}

/** Returns the words that the corrector changes, with their replacements and original positions. */
function changesOf(run: readonly Word[], corrector: Corrector): Change[] {
  const corrected = corrector.correct(run.map(({ term }) => term));
  return run
    .map((word, at) => ({ ...word, typed: word.term, meant: corrected[at]! }))
    .filter(({ typed, meant }) => typed !== meant);
}

/** Returns the runs of adjacent plain words. */
function runsOf(query: string): Word[][] {
  const runs: Word[][] = [[]];
  let count = 0;
  for (const { 0: clause, index } of query.matchAll(CLAUSE)) {
    if (!isPlain(clause)) runs.push([]);
    else
      tokenize(clause, (term, start, end) => {
        if (count++ < MAX_WORDS) runs.at(-1)!.push({ term, start: index + start, end: index + end });
      });
  }
  return runs.filter((run) => run.length > 0);
}

function isPlain(clause: string): boolean {
  return !/^[-+(]*[-+"]|[:*"/@]/.test(clause) && !OPERATOR.test(clause);
}
