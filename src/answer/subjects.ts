/**
 * Whom or what a query asks about: `who is Ada Lovelace`, `capital of France`, `France population`. The query as it stands is the first guess,
 * as works have such names too: `Age of Empires`, `What Is Love`.
 */
import { folded, isName } from './names.ts';
import { plainQuestion, readings } from './questions/questions.ts';

export interface Subject {
  name: string;
  /** What of it is asked for, in the words of the query; empty if it is nothing in particular. */
  fact: string;
}

/** More guesses are not looked up. */
const MAX_SUBJECTS = 3;

/** None for a query that names nothing. */
export function subjectsOf(query: string): Subject[] {
  const asked = readings('subject', query).map(({ name, fact = '' }) => ({ name: name!, fact }));
  const all = [
    { name: plainQuestion(query), fact: '' },
    ...asked.sort((a, b) => a.name.length - b.name.length),
  ];
  const distinct = new Map(all.filter(({ name }) => isName(name)).map((each) => [folded(each.name), each]));
  return [...distinct.values()].slice(0, MAX_SUBJECTS);
}

/** Whether the row of a table is what was asked for: `Population (2024)`, `Founders`. */
export function isAbout(row: string, fact: string): boolean {
  const [name, wanted] = [folded(row), folded(fact).replace(/s$/, '')];
  return wanted !== '' && name.includes(wanted);
}
