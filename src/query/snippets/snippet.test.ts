import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import type { Sought } from './best-window.ts';
import { QueryHighlighter } from './query-highlighter.ts';
import { leadingSnippets, snippetOf } from './snippet.ts';

const SENTENCE = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.';
const FILLER = `${SENTENCE} `;

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

test('leading snippets begin with different sentences of the running text', () => {
  const sentences = ['first', 'second', 'third', 'fourth'].map(
    (name) => `The ${name} sentence is about as long as this.`,
  );
  const text = `Menu\n${sentences.join(' ')}`;
  const stored = { url: '', title: '', description: '', text, language: 'en', fetchedAt: 0 };
  const snippets = leadingSnippets(stored, 3);
  assert.deepEqual(
    snippets.map((snippet) => snippet.split(' ')[1]),
    ['first', 'second', 'third'],
  );
  assert.deepEqual(leadingSnippets({ ...stored, text: 'One short line' }, 3), []);
  assert.deepEqual(leadingSnippets({ ...stored, maxSnippet: 0 }, 3), []);
});

test('a rare word is worth more than two common ones', () => {
  const text = `${FILLER.repeat(6)}common usual. ${FILLER.repeat(6)}rare. ${FILLER.repeat(6)}`;
  assert.deepEqual(marked(quote(text, ['common', 'usual', 'rare'], [1, 1, 5])), ['rare']);
});

test('without a near sentence a snippet begins and ends between words, with ellipses', () => {
  const text = `${'word '.repeat(100)}needle ${'word '.repeat(100)}`;
  const snippet = quote(text, ['needle']);
  assert.match(snippet.text, /^… (word )+needle (word )+…$/);
  assert.ok(snippet.text.length <= 210, `${snippet.text.length} characters`);
});

test('blocks begin like sentences, and are set apart unless they end like one', () => {
  const text = `${FILLER.repeat(6)}\nHeading\nThe needle is here\nRun this:\nnpm install\n${SENTENCE}\nAnd ${SENTENCE}`;
  const { text: shown } = quote(text, ['needle']);
  assert.ok(shown.startsWith('The needle is here · Run this: npm install · Lorem'), shown);
  assert.match(shown, /elit\. And Lorem/);
});

test('a snippet from one block of the text is a passage; joined blocks and a description are not', () => {
  assert.ok(quote('Undici is an HTTP client.', ['http']).isPassage);
  const blocks = quote(`Needle\nRun this:\nnpm install needle`, ['needle']);
  assert.ok(!blocks.isPassage, blocks.text);
  const described = quote('Home\nAbout', ['needle'], [1], 'A page about needles.');
  assert.equal(described.text, 'A page about needles.');
  assert.ok(!described.isPassage);
});

test('running text is preferred to lists, unless a list has much more of the query', () => {
  const text = `Home\nNeedle\nThreads\n${FILLER.repeat(20)}\nA needle pulls the thread through the cloth. ${FILLER}`;
  assert.ok(quote(text, ['needle']).text.startsWith('A needle pulls'));
  assert.ok(quote(text, ['needle', 'threads'], [1, 3]).text.startsWith('Needle · Threads'));
});

test('repeated words do not delay the beginning of a snippet', () => {
  const text = `${FILLER.repeat(3)}\nconst needle = thread\nHere a needle meets its thread in a sentence.`;
  assert.equal(quote(text, ['needle', 'thread']).text, 'Here a needle meets its thread in a sentence.');
  const phrases = [{ words: [0, 1, 0], exact: ['new', 'york', 'new'], weight: 2 }];
  const repeated = quote('We say new york new times.', ['new', 'york'], [1, 1], '', { phrases });
  assert.equal(repeated.text, 'We say new york new times.');
});

test('a long enough snippet is extended by running text only', () => {
  const menu = 'Home\nAbout\nImprint\nContact\n';
  const text = `A needle. ${FILLER.repeat(2)}\n${menu.repeat(5)}And this is how one pulls a thread through.`;
  const shown = `A needle. ${FILLER.repeat(2)}`.trim();
  assert.equal(quote(text, ['needle']).text, `${shown} … And this is how one pulls a thread through.`);
  const isNowhere = `A needle. ${FILLER.repeat(2)}\n${menu.repeat(50)}And this is how one pulls a thread through.`;
  assert.equal(quote(isNowhere, ['needle']).text, shown);
});

test('lines that repeat the title are neither searched nor shown', () => {
  const title = 'The needle — Sewing';
  const top = 'Sewing\nThe Needle 2.1\n';
  const text = `${top}Made of steel. It is long and thin, with an eye for a thread.\nEvery needle has a point.`;
  const sought = ['needle'];
  assert.equal(
    quote(text, sought, [1], '', {}, title).text,
    'It is long and thin, with an eye for a thread. Every needle has a point.',
  );
  const unsaid = quote(`${top}Tools\n${SENTENCE}`, sought, [1], '', {}, title);
  assert.deepEqual(unsaid, { text: SENTENCE, highlights: [], isPassage: true });
  const onlyTitle = quote(top, sought, [1], 'Sewing needle', {}, title);
  assert.equal(onlyTitle.text, 'Sewing · The Needle 2.1', 'but a snippet is not empty');
  assert.equal(quote(top, sought, [1], 'What pulls a thread.', {}, title).text, 'What pulls a thread.');
});

test('a description is preferred to a list with as many query words', () => {
  const text = 'Home\nNeedles\nThreads';
  const words = ['needles', 'threads'];
  assert.equal(quote(text, words, [1, 1], 'On needles and threads.').text, 'On needles and threads.');
  assert.equal(quote(text, words, [1, 1], 'On needles.').text, 'Needles · Threads');
});

const CONTENTS = [
  'Thimbles',
  'Needles',
  'Threads',
  'Yarn',
  'Buttons',
  'Scissors',
  'Zippers',
  'Ribbons',
  'Laces',
];

test('running text with half of the query is preferred to a list of short items', () => {
  const list = [...CONTENTS, ...CONTENTS, ...CONTENTS, ...CONTENTS].join('\n');
  const text = `${SENTENCE}\n${list}\n${FILLER.repeat(3)}\nNeedles are made of steel, and some of bone. ${FILLER}`;
  assert.ok(quote(text, ['needles', 'threads']).text.startsWith('Needles are made of steel'));
  const phrases = [{ words: [0, 1], exact: [null, null], weight: 2 }];
  assert.match(quote(text, ['needles', 'threads'], [1, 1], '', { phrases }).text, /^Needles · Threads/);
});

test('if only a list has words of the query, its items follow the first running text', () => {
  for (const separator of ['\n', ', ']) {
    const list = [...CONTENTS, ...CONTENTS, ...CONTENTS, ...CONTENTS].join(separator);
    const { text, highlights } = quote(`Sewing\n${SENTENCE}\n${list}`, ['needles']);
    assert.match(text, new RegExp(`^${SENTENCE}.* … .*Needles`));
    assert.ok(highlights.length > 0);
  }
  const list = [...CONTENTS, ...CONTENTS, ...CONTENTS, ...CONTENTS].join('\n');
  assert.equal(quote(list, ['needles'], [1], 'Tools for sewing.').text, 'Tools for sewing.');
  assert.equal(quote(list, ['needles']).text, 'Needles');
  assert.equal(quote(list, ['needles', 'scissors']).text, 'Needles … Scissors');
});

test('code is shown although their lines are short', () => {
  const members = ['needle(size = 1);', 'thread(length = 2);', 'sew(cloth);', 'cut(thread, scissors);'];
  const text = `${SENTENCE}\n${[...members, ...members].join('\n')}`;
  assert.match(quote(text, ['needle']).text, /^needle\(size = 1\); thread/);
});

test('a copyright notice is shown only if it has words of the query', () => {
  const notice = 'Copyright © 2020 The Tailors. All rights reserved by all of them.';
  const text = `Needles\n${notice}\n${SENTENCE}`;
  assert.equal(quote(text, ['needles']).text, `Needles … ${SENTENCE}`);
  assert.ok(quote(text, ['tailors']).text.startsWith(notice));
});

test('no ellipsis follows a block that ends with one', () => {
  const text = `A needle. ${FILLER.repeat(2)}\nHow do I…\nHome\n${SENTENCE}`;
  assert.doesNotMatch(quote(text, ['needle', 'how']).text, /… …/);
});

test('a snippet ends with a sentence if one ends before the limit', () => {
  const text = `A needle here. ${FILLER.repeat(5)}`;
  assert.equal(quote(text, ['needle']).text, `A needle here. ${FILLER.repeat(3)}`.trim());
});

test('a snippet at the end of a text begins earlier to be long enough', () => {
  const text = `${FILLER.repeat(5)}A needle.`;
  assert.equal(quote(text, ['needle']).text, `${FILLER.repeat(2)}A needle.`);
  const unbroken = quote(`${'word '.repeat(100)}needle`, ['needle']).text;
  assert.ok(unbroken.length > 150, unbroken);
});

test('without matches in the text, the description is shown, or the beginning of the text', () => {
  const text = FILLER.repeat(10);
  const described = quote(text, ['needle'], [1], 'About the needle.');
  assert.equal(described.text, 'About the needle.');
  assert.deepEqual(marked(described), ['needle']);
  assert.ok(quote(text, ['needle']).text.startsWith('Lorem ipsum'));
  assert.equal(quote('', ['needle']).text, '');
});

test('a text with only function words of the query is replaced by the description', () => {
  const text = `${FILLER.repeat(4)}the rest. ${FILLER.repeat(4)}`;
  const words = ['the', 'undici'];
  assert.equal(quote(text, words, [0.1, 6], 'About undici.').text, 'About undici.');
  assert.deepEqual(marked(quote(text, words, [0.1, 6])), ['the']);
});

test('all forms of a word are highlighted', () => {
  const rest = { url: 'https://example.org/', title: '', language: '', description: '', fetchedAt: 0 };
  const document = { ...rest, text: 'We connect. A connection is made.' };
  const forms = new Map([
    ['connect', 0],
    ['connection', 0],
  ]);
  assert.deepEqual(marked(snippetOf(document, { finder: new QueryHighlighter(forms), weights: [1] })), [
    'connect',
    'connection',
  ]);
});

test('a snippet is not longer than max-snippet', () => {
  const text = `${FILLER.repeat(3)}The needle is here. ${FILLER.repeat(3)}`;
  for (const maxSnippet of [0, 4, 5, 30, 80, 150, 1000]) {
    for (const description of ['', `Needle. ${FILLER.repeat(4)}`]) {
      for (const word of ['needle', 'absent']) {
        const rest = { url: 'https://example.org/', title: '', language: '', fetchedAt: 0, maxSnippet };
        const finder = new QueryHighlighter(new Map([[word, 0]]));
        const snippet = snippetOf({ ...rest, text, description }, { finder, weights: [1] });
        assert.ok(snippet.text.length <= maxSnippet, `${maxSnippet}: ${snippet.text}`);
        assert.equal(snippet.text !== '', maxSnippet > 4);
      }
    }
  }
});

test('pairs of a script without spaces become one highlight', () => {
  const snippet = quote(`${'空'.repeat(300)}東京都庁${'空'.repeat(300)}`, ['東京', '京都', '都庁']);
  assert.deepEqual(marked(snippet), ['東京都庁']);
});

test('a word far down a long text is found up to the limit', () => {
  assert.deepEqual(marked(quote(`${FILLER.repeat(1500)}needle`, ['needle'])), ['needle']);
  assert.deepEqual(marked(quote(`${FILLER.repeat(2500)}needle`, ['needle'])), []);
});

test('a quoted phrase is shown where it occurs exactly', () => {
  const apart = 'The loop of an event. An event loops. ';
  const text = `${apart}${FILLER.repeat(5)}Behold the event-loop itself. ${FILLER.repeat(5)}`;
  const phrases = [{ words: [0, 1], exact: ['event', 'loop'], weight: 2 }];
  const snippet = quote(text, ['event', 'loop', 'loops'], [1, 1, 1], '', { phrases });
  assert.ok(snippet.text.startsWith('Behold the event-loop'), snippet.text);
});

test('a quoted phrase with a prefix is shown where it occurs', () => {
  const text = `年 in 2024. ${FILLER.repeat(5)}Behold 2024年 itself. ${FILLER.repeat(5)}`;
  const phrases = [{ words: [0, 1], exact: ['2024', '年*'], weight: 2 }];
  const snippet = quote(text, ['2024', '年'], [1, 1], '', { phrases });
  assert.ok(snippet.text.startsWith('Behold 2024年'), snippet.text);
});

test('for any text, no character is split and every highlight is a hit', () => {
  const seed = testSeed();
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

test('words that are not to be marked are not highlighted', () => {
  const snippet = quote('How to thread the needle.', ['the', 'needle'], [0.1, 2], '', {
    isMarked: [false, true],
  });
  assert.deepEqual(marked(snippet), ['needle']);
});

test('the snippet of a page about the query is its first running text', () => {
  const lead = 'A needle is a thin tool of steel that pulls thread through cloth.';
  const text = `Needle threads\nContents\n${lead}\n${FILLER.repeat(4)}\nAny needle has threads of cotton at its end.`;
  assert.ok(quote(text, ['needle', 'threads'], [1, 1], '', {}, 'Needle threads').text.startsWith(lead));
  assert.match(quote(text, ['needle', 'threads'], [1, 1], '', {}, 'Needle').text, /Any needle has threads/);
  const phrases = [{ words: [0, 1], exact: [null, null], weight: 2 }];
  const quoted = quote(
    `${text} The needle threads well.`,
    ['needle', 'threads'],
    [1, 1],
    '',
    { phrases },
    'Needle threads',
  );
  assert.match(quoted.text, /The needle threads well/);
});

test('a description for machines is not shown', () => {
  const description = 'declaration: package: sewing, class: Needle';
  assert.equal(quote('Tools\nNeedle', ['needle'], [1], description).text, 'Needle');
});

function quote(
  text: string,
  words: string[],
  weights = words.map(() => 1),
  description = '',
  known: Partial<Sought> = {},
  title = '',
): ReturnType<typeof snippetOf> {
  const rest = { url: 'https://example.org/', title, language: '', fetchedAt: 0 };
  const forms = new Map(words.map((word, number) => [word, number]));
  return snippetOf(
    { ...rest, text, description },
    { finder: new QueryHighlighter(forms), weights, ...known },
  );
}

function marked({ text, highlights }: ReturnType<typeof snippetOf>): string[] {
  return highlights.map(([start, end]) => text.slice(start, end));
}

test('a short fact of a list is followed by the other facts, and another item is not', () => {
  const facts = ['Name: Caffeine', 'Formula: C8H10N4O2', 'Melting point: 227 °C', 'Density: 1.23 g/cm3'];
  const rest = Array.from({ length: 12 }, (_, i) => `Supplier ${i} of chemicals`);
  const { text } = quote(['Compounds', ...facts, ...rest].join('\n'), ['caffeine']);
  assert.equal(text, facts.join(' · '));
});

test('an entry of a table of contents is not running text', () => {
  const entries = [
    '2.5. Save the screen when a new format is selected.',
    '5. Where can I get help with this?',
  ];
  const { text } = quote([...entries, ...CONTENTS, ...CONTENTS, ...CONTENTS, ...CONTENTS].join('\n'), [
    'needles',
  ]);
  assert.equal(text, 'Needles');
});
