/**
 * Guesses the subject that a query asks about: `who is Ada Lovelace`, `capital of France`, `France population`.
 * The first guess is the whole query, because the name of a work may look like a question: `Age of Empires`,
 * `What Is Love`.
 */

import { plainQuestion, readings } from '../questions/mod.ts';
import { folded, isName } from './names.ts';

export interface Subject {
  name: string;
  /** The fact that the query asks for, in the words of the query; empty if it asks for no particular fact. */
  fact: string;
}

/** The maximum number of guesses that are looked up. */
const MAX_SUBJECTS = 3;

/** Returns the guesses for a query; an empty list if the query names nothing. */
export function subjectsOf(query: string): Subject[] {
  const asked = readings('subject', query).map(({ name, fact = '' }) => ({ name: name!, fact }));
  const all = [
    { name: plainQuestion(query), fact: '' },
    ...asked.sort((a, b) => a.name.length - b.name.length),
  ];
  const distinct = new Map(all.filter(({ name }) => isName(name)).map((each) => [folded(each.name), each]));
  return [...distinct.values()].slice(0, MAX_SUBJECTS);
}

/**
 * Returns true if the name of a table row is the fact that was asked for: `Population (2024)`, `Founders`.
 */
export function isAbout(row: string, fact: string): boolean {
  const [name, wanted] = [folded(row), folded(fact).replace(/s$/, '')];
  return wanted !== '' && name.includes(wanted);
}
