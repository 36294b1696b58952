import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAbout, subjectsOf } from './subjects.ts';

/** Returns a guess for the query as `name/fact`: the second guess, or the first if there is only one. */
function last(query: string): string {
  const { name, fact } = subjectsOf(query).at(1) ?? subjectsOf(query).at(0)!;
  return fact === '' ? name : `${name}/${fact}`;
}

test('the subject of a question is found in four languages', () => {
  const cases: Record<string, string> = {
    'who is Ada Lovelace?': 'Ada Lovelace',
    'what is a gyre': 'gyre',
    'capital of France': 'France/capital',
    'what is the population of Japan': 'Japan/population',
    'Japan population': 'Japan/population',
    "Tolkien's birthday": 'Tolkien/birthday',
    'when was Ada Lovelace born': 'Ada Lovelace/born',
    'how old is Ada Lovelace': 'Ada Lovelace',
    'Kuroshio wikipedia': 'Kuroshio',
    'Wer war Ada Lovelace?': 'Ada Lovelace',
    'Was ist ein Wirbel': 'Wirbel',
    'Hauptstadt von Frankreich': 'Frankreich/Hauptstadt',
    'Berlin Einwohner': 'Berlin/Einwohner',
    'wann wurde Ada Lovelace geboren': 'Ada Lovelace/geboren',
    'qui est Marie Curie ?': 'Marie Curie',
    'qu’est-ce que la photosynthèse': 'photosynthèse',
    'capitale du Japon': 'Japon/capitale',
    'quand est née Marie Curie': 'Marie Curie',
    'من هو ابن سينا؟': 'ابن سينا',
    'ما هي عاصمة اليابان': 'اليابان/عاصمة',
    'متى ولد ابن سينا': 'ابن سينا/ولد',
  };
  for (const [query, expected] of Object.entries(cases)) assert.equal(last(query), expected, query);
});

test('the query itself is the first subject, and arithmetic is none', () => {
  assert.deepEqual(
    subjectsOf('Age of Empires').map(({ name }) => name),
    ['Age of Empires', 'Empires'],
  );
  assert.deepEqual(subjectsOf('what is 6*7'), []);
  assert.deepEqual(subjectsOf('site:example.org ada'), []);
});

test('an infobox row matches a question by its beginning or its number', () => {
  assert.ok(isAbout('Population (2024)', 'population'));
  assert.ok(isAbout('Founder', 'founders'));
  assert.ok(!isAbout('Capital', 'population'));
  assert.ok(!isAbout('Capital', ''));
});
