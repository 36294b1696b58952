import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identitiesOf } from './record-identity.ts';
import { typedRecords } from './typed-records.ts';

type Properties = Record<string, string[]>;

const POTTER: Properties = {
  title: ['Potter'],
  'hiringOrganization.name': ['Kiln & Sons'],
  'jobLocation.address.addressLocality': ['Delft'],
  description: ['Works at the wheel.'],
};

function identity(url: string, properties: Properties, type = 'JobPosting', others: Properties[] = []) {
  const items = [properties, ...others].map((each) => ({ type, properties: each }));
  return identitiesOf(typedRecords(items, url), url)[0]!;
}

function shareKey(a: ReturnType<typeof identity>, b: ReturnType<typeof identity>): boolean {
  return a.keys.some((key) => b.keys.includes(key));
}

test('the only record of its type on a page keeps its identity when its name changes', () => {
  const onPage = (properties: Properties, others: Properties[] = []) =>
    identity('https://a.test/1', properties, 'JobPosting', others).onPage;
  assert.equal(onPage(POTTER), onPage({ ...POTTER, title: ['Senior potter'] }));
  assert.notEqual(onPage({ ...POTTER, identifier: ['1'] }), onPage({ ...POTTER, identifier: ['2'] }));
  const list = [{ title: ['Baker'] }];
  assert.notEqual(onPage(POTTER, list), onPage({ ...POTTER, title: ['Senior potter'] }, list));
});

test('an identifier counts together with its issuer', () => {
  const one = identity('https://a.test/1', { ...POTTER, identifier: ['17'] });
  assert.ok(
    shareKey(one, identity('https://b.test/9', { ...POTTER, title: ['Potter (x)'], identifier: ['17'] })),
  );
  const other = { ...POTTER, 'hiringOrganization.name': ['Clay Ltd'], identifier: ['17'] };
  assert.ok(!shareKey(one, identity('https://b.test/9', other)));
  const jug = identity('https://a.test/jug', { name: ['Jug'], gtin13: ['4006381333931'] }, 'Product');
  assert.ok(
    shareKey(jug, identity('https://b.test/x', { name: ['Krug'], gtin: ['4006381333931'] }, 'Product')),
  );
});

test('an address counts together with the name, because some sites state their home page as the address', () => {
  const home = ['https://a.test/'];
  const one = identity('https://a.test/1', { ...POTTER, url: home });
  assert.ok(!shareKey(one, identity('https://a.test/2', { title: ['Baker'], url: home })));
  const entry = { title: ['Potter'], url: ['https://a.test/1'] };
  assert.ok(shareKey(one, identity('https://a.test/list', entry, 'JobPosting', [{ title: ['Baker'] }])));
});

test('without an identifier the same name and facts agree, if they are all stated', () => {
  const one = identity('https://a.test/1', { ...POTTER, identifier: ['17'] });
  const copy = identity('https://b.test/9', { ...POTTER, title: ['POTTER'], datePosted: ['2026-01-02'] });
  assert.ok(one.text !== null && one.text === copy.text);
  assert.equal(copy.identifier, null);
  const vague = { title: ['Potter'], 'hiringOrganization.name': ['Kiln & Sons'] };
  assert.equal(identity('https://c.test/', vague).text, null);
  assert.notEqual(identity('https://c.test/', { ...POTTER, description: ['Other work'] }).text, one.text);
});

test('people and organizations are the same if they are the same as a third', () => {
  const sameAs = ['https://encyclopedia.test/ada'];
  const ada = identity('https://a.test/ada', { name: ['Ada'], sameAs }, 'Person');
  assert.ok(shareKey(ada, identity('https://b.test/x', { name: ['Ada Lovelace'], sameAs }, 'Person')));
  assert.ok(!shareKey(ada, identity('https://b.test/x', { name: ['Ada'], sameAs }, 'Organization')));
});
