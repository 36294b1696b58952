import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { HitFinder } from './hit-finder.ts';
import { type Snippet, type Sought, snippetOf } from './snippet.ts';

const FILLER = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. ';

test('a short text is shown whole, with its hits', () => {
  const snippet = quote('Undici is an HTTP client.', ['http', 'client']);
  assert.equal(snippet.text, 'Undici is an HTTP client.');
  assert.deepEqual(marked(snippet), ['HTTP', 'client']);
});

test('the window with most of the words wins, and begins with its sentence', () => {
  const text = `A client. ${FILLER.repeat(5)}Here an HTTP client is described at length. ${FILLER.repeat(5)}`;
  const snippet = quote(text, ['http', 'client']);
  assert.ok(snippet.text.startsWith('Here an HTTP client'), snippet.text);
  assert.deepEqual(marked(snippet), ['HTTP', 'client']);
});

test('a rare word is worth more than two common ones', () => {
  const text = `${FILLER.repeat(6)}common usual. ${FILLER.repeat(6)}rare. ${FILLER.repeat(6)}`;
  assert.deepEqual(marked(quote(text, ['common', 'usual', 'rare'], [1, 1, 5])), ['rare']);
});

test('without a sentence in reach it begins and ends between words, with marks of omission', () => {
  const text = `${'word '.repeat(100)}needle ${'word '.repeat(100)}`;
  const snippet = quote(text, ['needle']);
  assert.match(snippet.text, /^… (word )+needle (word )+…$/);
  assert.ok(snippet.text.length <= 210, `${snippet.text.length} characters`);
});

test('blocks are joined by a space and begin like sentences', () => {
  const text = `${FILLER.repeat(6)}\nHeading\nThe needle is here\n${FILLER.repeat(6)}`;
  assert.match(quote(text, ['needle']).text, /^The needle is here Lorem/);
});

test('a text without the words gives way to the description, then to its beginning', () => {
  const text = FILLER.repeat(10);
  const described = quote(text, ['needle'], [1], 'About the needle.');
  assert.equal(described.text, 'About the needle.');
  assert.deepEqual(marked(described), ['needle']);
  assert.ok(quote(text, ['needle']).text.startsWith('Lorem ipsum'));
  assert.deepEqual(quote('', ['needle']), { text: '', highlights: [] });
});

test('a text that has only words like "the" of the query gives way to the description', () => {
  const text = `${FILLER.repeat(4)}the rest. ${FILLER.repeat(4)}`;
  const words = ['the', 'undici'];
  assert.equal(quote(text, words, [0.1, 6], 'About undici.').text, 'About undici.');
  assert.deepEqual(marked(quote(text, words, [0.1, 6])), ['the']);
});

test('several forms of a word are marked as the word is', () => {
  const rest = { url: 'https://example.org/', title: '', language: '', description: '', fetchedAt: 0 };
  const document = { ...rest, text: 'We connect. A connection is made.' };
  const forms = new Map([
    ['connect', 0],
    ['connection', 0],
  ]);
  assert.deepEqual(marked(snippetOf(document, { finder: new HitFinder(forms), weights: [1] })), [
    'connect',
    'connection',
  ]);
});

test('no more is quoted than the page allows', () => {
  const text = `${FILLER.repeat(3)}The needle is here. ${FILLER.repeat(3)}`;
  for (const maxSnippet of [0, 4, 5, 30, 80, 150, 1000]) {
    for (const description of ['', `Needle. ${FILLER.repeat(4)}`]) {
      for (const word of ['needle', 'absent']) {
        const rest = { url: 'https://example.org/', title: '', language: '', fetchedAt: 0, maxSnippet };
        const finder = new HitFinder(new Map([[word, 0]]));
        const snippet = snippetOf({ ...rest, text, description }, { finder, weights: [1] });
        assert.ok(snippet.text.length <= maxSnippet, `${maxSnippet}: ${snippet.text}`);
        assert.equal(snippet.text !== '', maxSnippet > 4);
      }
    }
  }
});

test('pairs of an unspaced script become one highlight', () => {
  const snippet = quote(`${'空'.repeat(300)}東京都庁${'空'.repeat(300)}`, ['東京', '京都', '都庁']);
  assert.deepEqual(marked(snippet), ['東京都庁']);
});

test('a word far down a long text is found, beyond the limit it is not', () => {
  assert.deepEqual(marked(quote(`${FILLER.repeat(1500)}needle`, ['needle'])), ['needle']);
  assert.deepEqual(marked(quote(`${FILLER.repeat(2500)}needle`, ['needle'])), []);
});

test('a quoted phrase is shown as it was quoted, though its words stand together elsewhere, too', () => {
  const apart = 'The loop of an event. An event loops. ';
  const text = `${apart}${FILLER.repeat(5)}Behold the event-loop itself. ${FILLER.repeat(5)}`;
  const phrases = [{ words: [0, 1], exact: ['event', 'loop'], weight: 2 }];
  const snippet = quote(text, ['event', 'loop', 'loops'], [1, 1, 1], '', { phrases });
  assert.ok(snippet.text.startsWith('Behold the event-loop'), snippet.text);
});

test('a quoted phrase that may go on is shown where it stands', () => {
  const text = `年 in 2024. ${FILLER.repeat(5)}Behold 2024年 itself. ${FILLER.repeat(5)}`;
  const phrases = [{ words: [0, 1], exact: ['2024', '年*'], weight: 2 }];
  const snippet = quote(text, ['2024', '年'], [1, 1], '', { phrases });
  assert.ok(snippet.text.startsWith('Behold 2024年'), snippet.text);
});

test('whatever the text, no character is torn and every highlight is a hit', () => {
  const seed = Date.now() >>> 0;
  const random = new Random(seed);
  const parts = [
    'needle',
    '🙂',
    '𠮷',
    '𠮷野',
    ' ',
    ' ',
    '. ',
    '\n',
    'word',
    'Grüße',
    '👩‍👩‍👧',
    'x'.repeat(300),
  ];
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: random.below(300) }, () => random.pick(parts)).join('');
    const snippet = quote(text, ['needle', '𠮷野'], [1, 1], random.chance(0.5) ? text.slice(0, 300) : '');
    const where = `seed ${seed}: ${JSON.stringify(text)}`;
    assert.ok(snippet.text.isWellFormed(), where);
    assert.equal(snippet.text, snippet.text.trim(), where);
    assert.ok(snippet.text.length <= 210 && !snippet.text.includes('\n'), where);
    for (const hit of marked(snippet)) assert.match(hit, /^(needle|𠮷野)+$/u, where);
  }
});

function quote(
  text: string,
  words: string[],
  weights = words.map(() => 1),
  description = '',
  known: Partial<Sought> = {},
): Snippet {
  const rest = { url: 'https://example.org/', title: '', language: '', fetchedAt: 0 };
  const forms = new Map(words.map((word, number) => [word, number]));
  return snippetOf({ ...rest, text, description }, { finder: new HitFinder(forms), weights, ...known });
}

function marked({ text, highlights }: Snippet): string[] {
  return highlights.map(([start, end]) => text.slice(start, end));
}
