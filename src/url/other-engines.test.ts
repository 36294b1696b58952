import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressElsewhere, parseOtherEngine, readBang } from './other-engines.ts';

const SEA = parseOtherEngine('sea The Sea Index https://sea.example/find?q={query}&sort=new')!;

test('a line has a bang, a name and a URL with a place for the query', () => {
  assert.deepEqual(SEA, {
    ...{ bang: 'sea', name: 'The Sea Index' },
    url: 'https://sea.example/find?q={query}&sort=new',
  });
  for (const line of [
    '',
    'sea https://sea.example/?q={query}',
    'sea Sea https://sea.example/',
    'sea Sea javascript:{query}',
  ])
    assert.equal(parseOtherEngine(line), null, line);
});

test('a bang is the first or the last word of a query, and known', () => {
  for (const query of ['!sea tide & moon', '!SEA tide & moon', 'tide & moon !sea'])
    assert.deepEqual(readBang(query, [SEA]), { engine: SEA, query: 'tide & moon' }, query);
  for (const query of ['!sea', 'tide !sea moon', '!land tide', 'sea tide', '! sea tide'])
    assert.equal(readBang(query, [SEA]), null, query);
});

test('the query is escaped in the URL', () => {
  assert.equal(addressElsewhere(SEA, 'a&b $& c'), 'https://sea.example/find?q=a%26b%20%24%26%20c&sort=new');
});
