/**
 * Parses the operator's synonyms: a text file with one rule per line.
 *
 *   # a line that begins with a hash sign is a comment
 *   car, automobile, auto       a query for one of these also finds the others
 *   upenn => penn, university   a query for upenn also finds these, but a query for penn does not find upenn
 *
 * Words are folded like queries. Each synonym is a single word, because two words could not be distinguished from a
 * phrase. A line that cannot be parsed is an error with its line number.
 */
import { UsageError } from '../../../base/mod.ts';
import { tokenize } from '../../../text/mod.ts';

/** A synonym rule: a query for `word` also finds documents with `other`. */
export interface SynonymRule {
  word: string;
  other: string;
}

/** Parses the text of a synonyms file. `name` is the name of the file, for error messages. */
export function parseSynonyms(text: string, name: string): SynonymRule[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    return rulesOf(trimmed, (what) => new UsageError('bad-synonyms', `${name} line ${at + 1}: ${what}`));
  });
}

type Complaint = (what: string) => UsageError;

function rulesOf(line: string, complain: Complaint): SynonymRule[] {
  const sides = line.split('=>');
  if (sides.length > 2) throw complain('more than one =>; a rule has one at most');
  const [left, right] = sides.map((side) => side.split(',').map((word) => termOf(word, complain)));
  if (right) return left!.flatMap((word) => pairsOf(word, right));
  if (left!.length < 2) throw complain(`"${line}" has no synonyms; add them after commas or =>`);
  return left!.flatMap((word) => pairsOf(word, left!));
}

function pairsOf(word: string, others: readonly string[]): SynonymRule[] {
  return others.filter((other) => other !== word).map((other) => ({ word, other }));
}

function termOf(text: string, complain: Complaint): string {
  const terms: string[] = [];
  tokenize(text, (term) => terms.push(term));
  const shown = JSON.stringify(text.trim());
  if (terms.length === 0) throw complain(`expected a word, got ${shown}`);
  if (terms.length > 1)
    throw complain(`${shown} is ${terms.length} words (${terms.join(', ')}); a synonym is one`);
  return terms[0]!;
}
