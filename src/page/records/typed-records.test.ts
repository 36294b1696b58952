import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalUrl } from '../../url/mod.ts';
import { parsePage } from '../parse-page.ts';
import { parseMoney } from './money.ts';
import { minutesOf, normalDate } from './normal-dates.ts';
import { readPlaces } from './places.ts';
import { typedRecords } from './typed-records.ts';

const PAGE = 'https://jobs.example.org/1' as CanonicalUrl;

function recordsOf(html: string) {
  const body = Buffer.from(html);
  const page = parsePage({ url: PAGE, contentType: 'text/html; charset=utf-8', body, xRobotsTag: [] });
  return typedRecords(page?.structured ?? [], PAGE);
}

const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

test('dates have one form, whatever a page writes', () => {
  const table: [string, string | null][] = [
    ['2026-03-02', '2026-03-02'],
    ['2026-02-30', null],
    ['1879-03-14', '1879-03-14'],
    ['1879', '1879'],
    ['2026-13', null],
    ['02.03.2026', '2026-03-02'],
    ['2 March 2026', '2026-03-02'],
    ['March 2, 2026', '2026-03-02'],
    ['2026-03-02T20:00', '2026-03-02T20:00:00'],
    ['2026-03-02T20:00:30+01:00', '2026-03-02T19:00:30Z'],
    ['2026-03-02 20:00:30.123Z', '2026-03-02T20:00:30Z'],
    ['2026-03-02T20:00:00+0530', '2026-03-02T14:30:00Z'],
    ['2026-03-02T25:00', null],
    ['Mon, 02 Mar 2026 10:00:00 GMT', '2026-03-02T10:00:00Z'],
    ['03/02/2026', null],
    ['soon', null],
    ['', null],
  ];
  for (const [raw, expected] of table) assert.equal(normalDate(raw), expected, raw);
});

test('durations are minutes', () => {
  const table: [string, number | null][] = [
    ['PT1H30M', 90],
    ['P1DT2H', 1560],
    ['PT90S', 2],
    ['PT0M', 0],
    ['PT', null],
    ['1 hour', null],
  ];
  for (const [raw, expected] of table) assert.equal(minutesOf(raw), expected, raw);
});

test('amounts of money are read from markup and from texts for people', () => {
  const table: [string, boolean, unknown][] = [
    ['2500.00', false, { amount: 2500 }],
    ['2.500', false, { amount: 2.5 }],
    ['€ 2.500', true, { amount: 2500, currency: 'EUR' }],
    ['2.500,50 €', true, { amount: 2500.5, currency: 'EUR' }],
    ['$45,000 – $55,000', true, { amount: 45000, max: 55000, currency: 'USD' }],
    ['45,000 to 55,000 GBP', true, { amount: 45000, max: 55000, currency: 'GBP' }],
    ["CHF 1'234'567.80", true, { amount: 1234567.8, currency: 'CHF' }],
    ['1.234.567', true, { amount: 1234567 }],
    ['12,5', true, { amount: 12.5 }],
    ['0.125', true, { amount: 0.125 }],
    ['on request', true, null],
    ['60k', true, null],
    ['1-2-3', true, null],
    ['', true, null],
  ];
  for (const [raw, isForPeople, expected] of table)
    assert.deepEqual(parseMoney(raw, isForPeople), expected, raw);
});

test('several places are matched by the order of their parts', () => {
  const problems: string[] = [];
  const properties = {
    'jobLocation.address.addressLocality': ['Berlin', 'München'],
    'jobLocation.address.addressCountry': ['Germany'],
    'jobLocation.address.streetAddress': ['1', '2', '3'].slice(0, 2),
  };
  const places = readPlaces(properties, 'jobLocation', (reason) => problems.push(reason));
  assert.deepEqual(places, [
    { street: '1', city: 'Berlin', country: 'DE' },
    { street: '2', city: 'München', country: 'DE' },
  ]);
  assert.equal(problems.length, 0);
  const uneven = {
    ...properties,
    'jobLocation.address.addressCountry': ['UK', 'FR', 'Ruritania'],
    'jobLocation.geo.latitude': ['95'],
  };
  const more = readPlaces(uneven, 'jobLocation', (reason) => problems.push(reason));
  assert.deepEqual(more, [{ country: 'GB' }, { country: 'FR' }, { country: 'Ruritania' }]);
  assert.deepEqual(problems, [
    '2 values of street for 3 places',
    '2 values of city for 3 places',
    ...Array(3).fill('"95" is not a latitude'),
  ]);
});

test('a posting has the same facts in all three syntaxes', () => {
  const expected = {
    title: ['Potter'],
    organization: ['Kiln & Sons'],
    location: [{ city: 'Delft', country: 'NL' }],
    salary: [{ amount: 2000, max: 2500, currency: 'EUR', per: 'MONTH' }],
    datePosted: ['2026-01-02'],
  };
  const stated = {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: 'Potter',
    datePosted: '2026-01-02',
    hiringOrganization: { '@type': 'Organization', name: 'Kiln & Sons' },
    jobLocation: { address: { addressLocality: 'Delft', addressCountry: { name: 'Netherlands' } } },
    baseSalary: { currency: 'EUR', value: { minValue: 2000, maxValue: 2500, unitText: 'MONTH' } },
  };
  const [posting] = recordsOf(jsonLd(stated));
  assert.deepEqual(posting, { type: 'JobPosting', source: 'json-ld', facts: expected, problems: [] });

  const inside = (item: string, type: string, property: string) => `
    <div ${item} ${type}JobPosting><h1 ${property}=title>Potter</h1>
    <div ${property}=hiringOrganization ${item} ${type}Organization><b ${property}=name>Kiln &amp; Sons</b></div>
    <div ${property}=jobLocation ${item} ${type}Place><div ${property}=address ${item} ${type}PostalAddress>
    <i ${property}=addressLocality>Delft</i>, <i ${property}=addressCountry>NL</i></div></div>
    <div ${property}=baseSalary ${item} ${type}MonetaryAmount><meta ${property}=currency content=EUR>
    <div ${property}=value ${item} ${type}QuantitativeValue><i ${property}=minValue>2000</i>
    <i ${property}=maxValue>2500</i><i ${property}=unitText>month</i></div></div>
    <time ${property}=datePosted datetime=2026-01-02>Friday</time></div>`;
  for (const [source, html] of [
    ['microdata', inside('itemscope', 'itemtype=https://schema.org/', 'itemprop')],
    ['rdfa', inside('', 'typeof=schema:', 'property')],
  ] as const) {
    assert.deepEqual(recordsOf(html), [{ ...posting, source }], source);
  }
});

test('a record that does not fit its type is kept with the reasons', () => {
  const [posting, event, product] = recordsOf(
    jsonLd([
      { '@type': 'JobPosting', datePosted: 'soon', baseSalary: 'competitive', url: 'mailto:a@b.org' },
      { '@type': 'MusicEvent', name: 'Organ', startDate: '03/02/2026' },
      { '@type': 'Product', name: 'Jug', offers: [{ price: 3, priceCurrency: 'EUR' }, { price: 5 }] },
    ]),
  );
  assert.deepEqual(posting?.problems, [
    'title: missing',
    'url: "mailto:a@b.org" is not a URL',
    'salary: "competitive" is not an amount of money',
    'datePosted: "soon" is not an unambiguous date',
  ]);
  assert.deepEqual(posting?.facts, {});
  assert.equal(event?.type, 'Event');
  assert.equal(event?.statedType, 'MusicEvent');
  assert.deepEqual(event?.problems, ['startDate: "03/02/2026" is not an unambiguous date']);
  assert.deepEqual(product?.facts.price, [
    { amount: 3, currency: 'EUR' },
    { amount: 5, currency: 'EUR' },
  ]);
  const [unpriced, other] = recordsOf(
    jsonLd([
      { '@type': 'Product', name: 'Jug', offers: { lowPrice: '3', highPrice: '9' } },
      { '@type': 'WebSite', name: 'Pots' },
    ]),
  );
  assert.deepEqual(unpriced?.facts.price, [{ amount: 3, max: 9 }]);
  assert.deepEqual(unpriced?.problems, ['price: the currency is missing']);
  assert.deepEqual(other, { type: 'WebSite', source: 'json-ld', facts: { name: ['Pots'] }, problems: [] });
});

test('recipes, people and articles have their fields', () => {
  const [recipe, person, article] = recordsOf(
    jsonLd([
      {
        '@type': 'Recipe',
        name: 'Soup',
        totalTime: 'PT1H5M',
        recipeIngredient: ['1 leek', '2 potatoes'],
        recipeInstructions: [{ '@type': 'HowToStep', text: 'Cut.' }, { text: 'Boil.' }],
        aggregateRating: { ratingValue: '4,5', reviewCount: 12 },
      },
      {
        '@type': 'Person',
        name: 'Ada',
        birthDate: '1815-12-10',
        sameAs: '/ada',
        address: { addressLocality: 'London' },
      },
      {
        '@type': 'BlogPosting',
        headline: 'Clay',
        author: [{ name: 'A' }, { name: 'B' }],
        datePublished: '2026-01-02T08:00Z',
      },
    ]),
  );
  assert.deepEqual(recipe?.facts, {
    name: ['Soup'],
    ingredients: ['1 leek', '2 potatoes'],
    instructions: ['Cut.', 'Boil.'],
    totalTime: [65],
    rating: [4.5],
    ratingCount: [12],
  });
  assert.deepEqual(person?.facts, {
    name: ['Ada'],
    birthDate: ['1815-12-10'],
    sameAs: ['https://jobs.example.org/ada'],
    address: [{ city: 'London' }],
  });
  assert.deepEqual(article?.facts, {
    headline: ['Clay'],
    author: ['A', 'B'],
    datePublished: ['2026-01-02T08:00:00Z'],
  });
  assert.deepEqual(
    [recipe, person, article].flatMap((record) => record?.problems),
    [],
  );
});
