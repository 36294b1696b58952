/**
 * Corrects the plain words of a query. Quoted phrases and clauses with an operator (`-word`, `+word`, `conn*`,
 * `site:…`, `AND`) stay as typed, and so does a bang that names no known engine (`!word`). Such a clause also ends the
 * context: the word before it does not help to correct the word after it.
 *
 *   htpt clinet site:example.org  ->  http client site:example.org
 */
import { tokenize } from '../../../text/mod.ts';
import type { Corrector } from './corrector.ts';

const CLAUSE = /\(?[-+]?"[^"]*"?|\S+/g;
const OPERATOR = /^(?:AND|OR|NOT|NEAR(?:\/\d+)?)$/;
/** The maximum number of words of a query that are corrected, to limit the time. */
const MAX_WORDS = 16;

interface Word {
  term: string;
  start: number;
  end: number;
}

export interface Correction {
  query: string;
  /** The misspelled words and their replacements. */
  changes: readonly { typed: string; meant: string }[];
}

/** Returns the corrected query; null if there is nothing to correct. */
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

/**
 * Returns the misspelled words in a run of adjacent words, with their replacements and their positions in the
 * query.
 */
function changesOf(run: readonly Word[], corrector: Corrector): Change[] {
  const corrected = corrector.correct(run.map(({ term }) => term));
  return run
    .map((word, at) => ({ ...word, typed: word.term, meant: corrected[at]! }))
    .filter(({ typed, meant }) => typed !== meant);
}

/** Returns the runs of adjacent plain words in a query. */
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
  return !/^[-+(]*[-+"]|^!|[:*"/@]/.test(clause) && !OPERATOR.test(clause);
}
