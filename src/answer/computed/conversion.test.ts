import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerWords } from '../messages/answer-words.ts';
import { conversion } from './conversion.ts';

function ask(query: string, language = 'en'): string | null {
  const context = { now: 0, words: answerWords(language) };
  if (!conversion.matches(query, context)) return null;
  const answer = conversion.answer(query, context, AbortSignal.timeout(1000));
  assert.ok(!(answer instanceof Promise));
  return answer?.title ?? null;
}

test('units are converted exactly, whatever their names', () => {
  const cases: Record<string, string> = {
    '5 miles in km': '8.04672 km',
    '1 inch to cm': '2.54 cm',
    '100 °F to celsius': '≈ 37.77778 °C',
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

test('amounts may have several units, fractions or words, or be omitted', () => {
  const cases: Record<string, string> = {
    '5 ft 6 in to cm': '167.64 cm',
    '6\'2" in cm': '187.96 cm',
    '5’11 in cm': '180.34 cm',
    '5 feet and 11 inches in cm': '180.34 cm',
    '1 h 30 min in seconds': '5,400 s',
    '10 stone 5 pounds in kg': '65.77089365 kg',
    '1/2 cup in ml': '118.29411825 ml',
    '1 1/2 cups in ml': '354.88235475 ml',
    '2½ hours in min': '150 min',
    'half a mile in feet': '2,640 ft',
    'how many feet in a mile': '5,280 ft',
    'how many cups are in a gallon': '16 US cup',
    'cm to inches': '≈ 0.3937008 in',
    'what is 5 miles in km': '8.04672 km',
    'how tall is 6 ft in cm': '182.88 cm',
    '12 oz in ml': '354.88235475 ml',
    '500 ml in oz': '≈ 16.90701 US fl oz',
    '8 oz in g': '226.796185 g',
  };
  for (const [query, expected] of Object.entries(cases)) assert.equal(ask(query), expected, query);
});

test('squares, cubes and rates of units are converted', () => {
  const cases: Record<string, string> = {
    '100 sq ft in m2': '9.290304 m²',
    '2 square miles in acres': '1,280 ac',
    '1000 cubic feet in m3': '28.316846592 m³',
    '1 m^3 in liters': '1,000 l',
    '55 miles per hour in km/h': '88.51392 km/h',
    '20 m/s in km/h': '72 km/h',
    '100 mbps in MB/s': '12.5 MB/s',
    '1 g/cm3 in kg/m3': '1,000 kg/m³',
    '8 l/100km to mpg': '≈ 29.40182 mpg',
    '30 mpg to l/100km': '≈ 7.840486 l/100 km',
    '20 km/l in l/100km': '5 l/100 km',
    '100 Quadratmeter in Quadratfuß': '≈ 1,076.391 ft²',
    '100 mètres carrés en pieds carrés': '≈ 1,076.391 ft²',
    '100 متر مربع إلى قدم مربع': '≈ 1,076.391 ft²',
    '80 km/h in Meter pro Sekunde': '≈ 22.22222 m/s',
  };
  for (const [query, expected] of Object.entries(cases)) assert.equal(ask(query), expected, query);
});

test('an answer may be in several units', () => {
  assert.equal(ask('170 cm in feet and inches'), '≈ 5 ft 6.929 in');
  assert.equal(ask('90 minutes in hours and minutes'), '1 h 30 min');
  assert.equal(ask('-90 min in h min'), '−1 h 30 min');
});

test('questions and numbers may be in any language of the pages', () => {
  const cases: [language: string, query: string, expected: string][] = [
    ['de', '5 Meilen in Kilometer', '8,04672 km'],
    ['de', 'wie viele Meter sind 1.500 Fuß?', '457,2 m'],
    ['de', 'rechne 1,5 Stunden in Minuten um', '90 min'],
    ['de', '100 Grad Fahrenheit in Grad Celsius', '≈ 37,77778 °C'],
    ['fr', '5 miles en kilomètres', '8,04672 km'],
    ['fr', 'combien de mètres font 6 pieds ?', '1,8288 m'],
    ['fr', 'convertir 2 Go en Mo', '2\u202f000 MB'],
    ['fr', '10 000 m en km', '10 km'],
    ['ar', '٥ أميال إلى كيلومتر', '8.04672 km'],
    ['ar', '5 أميال بالكيلومتر', '8.04672 km'],
    ['ar', 'كم دقيقة في 3 ساعات؟', '180 min'],
    ['en', '5 Meilen in km', '8.04672 km'],
    ['en', 'how many feet are 2 metres', '≈ 6.56168 ft'],
  ];
  for (const [language, query, expected] of cases) assert.equal(ask(query, language), expected, query);
});

test('incompatible units, unknown units and plain words give no answer', () => {
  for (const query of [
    '5 miles in kg',
    '10 dollars in euro',
    '5 miles',
    'two feet in cm',
    '1.2.3 m in km',
    '6 in 5 ft to cm',
    '5 ft 3 kg in m',
    '0 l/100km in mpg',
    'day to day',
    'in in to',
    '1/0 cup in ml',
  ])
    assert.equal(ask(query), null, query);
});
