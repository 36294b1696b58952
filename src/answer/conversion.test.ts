import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversion } from './conversion.ts';
import { ENGLISH } from './words/answer-words.ts';

function ask(query: string): string | null {
  if (!conversion.matches(query, { now: 0, words: ENGLISH })) return null;
  const answer = conversion.answer(query, { now: 0, words: ENGLISH }, AbortSignal.timeout(1000));
  assert.ok(answer && !(answer instanceof Promise));
  return answer.title;
}

test('units are converted exactly, whatever their names', () => {
  const cases: Record<string, string> = {
    '5 miles in km': '8.04672 km',
    '1 inch to cm': '2.54 cm',
    '100 °F to celsius': '≈ 37.7777777777778 °C',
    '-40 F in C': '−40 °C',
    '0 celsius to kelvin': '273.15 K',
    '1 GiB in MB': '1,073.741824 MB',
    '8 b to B': '1 B',
    '1,500 g in kg': '1.5 kg',
    '1,5 kg in g': '1,500 g',
    '90 km/h in m/s': '25 m/s',
    '2 weeks in hours': '336 h',
    'convert 3 acres to m2': '12,140.5692672 m²',
    '1e3 m in km': '1 km',
    '6 feet in metres?': '1.8288 m',
  };
  for (const [query, expected] of Object.entries(cases)) assert.equal(ask(query), expected, query);
});

test('units of different things, unknown ones and plain words are left to the index', () => {
  for (const query of [
    '5 miles in kg',
    '10 dollars in euro',
    '5 miles',
    'two feet in cm',
    '1.2.3 m in km',
    'miles in km',
  ])
    assert.equal(ask(query), null, query);
});
