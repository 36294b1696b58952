import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conversion } from './conversion.ts';
import { answerWords } from './words/answer-words.ts';

function ask(query: string, language = 'en'): string | null {
  const context = { now: 0, words: answerWords(language) };
  if (!conversion.matches(query, context)) return null;
  const answer = conversion.answer(query, context, AbortSignal.timeout(1000));
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

test('the question may be put in any language of the pages, figures as that language writes them', () => {
  const cases: [language: string, query: string, expected: string][] = [
    ['de', '5 Meilen in Kilometer', '8,04672 km'],
    ['de', 'wie viele Meter sind 1.500 Fuß?', '457,2 m'],
    ['de', 'rechne 1,5 Stunden in Minuten um', '90 min'],
    ['de', '100 Grad Fahrenheit in Grad Celsius', '≈ 37,7777777777778 °C'],
    ['fr', '5 miles en kilomètres', '8,04672 km'],
    ['fr', 'combien de mètres font 6 pieds ?', '1,8288 m'],
    ['fr', 'convertir 2 Go en Mo', '2\u202f000 MB'],
    ['ar', '٥ أميال إلى كيلومتر', '8.04672 km'],
    ['ar', '5 أميال بالكيلومتر', '8.04672 km'],
    ['ar', 'كم دقيقة في 3 ساعات؟', '180 min'],
    ['en', '5 Meilen in km', '8.04672 km'],
    ['en', 'how many feet are 2 metres', '≈ 6.56167979002625 ft'],
  ];
  for (const [language, query, expected] of cases) assert.equal(ask(query, language), expected, query);
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
