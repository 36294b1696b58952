import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tokenizer } from './tokenizer.ts';

/** The vocabulary of the tests in google-research/bert, with the special tokens and some more pieces. */
const PIECES = [
  ...['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'want', '##want', '##ed', 'wa', 'un', 'runn', '##ing', ','],
  ...[
    'hello',
    '!',
    'how',
    'are',
    'you',
    '?',
    '博',
    '推',
    'ah',
    'zz',
    '##aff',
    '##able',
    '[',
    'sep',
    ']',
    'é',
  ],
  ...['##zz', '-', '##lo', 'hel', 'a', '##a', 'ss', 'strasse', '##ß', 'stra'],
];

function fileOf(change: { normalizer?: object; model?: object; splitter?: object } = {}): string {
  return JSON.stringify({
    truncation: { max_length: 128 },
    normalizer: { type: 'BertNormalizer', lowercase: true, strip_accents: null, ...change.normalizer },
    pre_tokenizer: { type: 'BertPreTokenizer', ...change.splitter },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(PIECES.map((piece, id) => [piece, id])),
      ...change.model,
    },
  });
}

const tokenizer = new Tokenizer(fileOf(), 'tokenizer.json');
const piecesOf = (text: string, limit = 128, by = tokenizer): string =>
  by
    .encode(text, limit)
    .map((id) => PIECES[id])
    .join(' ');

test('words are divided like the published examples of BERT', () => {
  assert.equal(piecesOf('UNwantéd,running'), '[CLS] un ##want ##ed , runn ##ing [SEP]');
  assert.equal(piecesOf('unwanted running'), '[CLS] un ##want ##ed runn ##ing [SEP]');
  assert.equal(piecesOf('unwantedX running'), '[CLS] [UNK] runn ##ing [SEP]');
  assert.equal(piecesOf('unaffable'), '[CLS] un ##aff ##able [SEP]');
  assert.equal(piecesOf(' \tHeLLo!how  \n Are yoU?  '), '[CLS] hello ! how are you ? [SEP]');
  assert.equal(piecesOf('Héllo'), '[CLS] hello [SEP]');
  assert.equal(piecesOf('ah博推zz'), '[CLS] ah 博 推 zz [SEP]');
  assert.equal(piecesOf(''), '[CLS] [SEP]');
});

test('control characters vanish and every kind of space ends a word', () => {
  assert.equal(piecesOf('hel\u200blo\0\ufffd'), '[CLS] hello [SEP]');
  assert.equal(piecesOf('how\u00a0are\u3000you\r'), '[CLS] how are you [SEP]');
  assert.equal(piecesOf('\u0301\u0302'), '[CLS] [SEP]');
});

test('the name of a special token in a text is ordinary text', () => {
  assert.equal(piecesOf('[SEP]'), '[CLS] [ sep ] [SEP]');
});

test('a cased model keeps case and accents', () => {
  const cased = new Tokenizer(fileOf({ normalizer: { lowercase: false } }), 'tokenizer.json');
  assert.equal(piecesOf('Hello hello é', 128, cased), '[CLS] [UNK] hello é [SEP]');
});

test('a text is cut at the limit, which counts the special tokens', () => {
  assert.equal(piecesOf('how are you unaffable', 5), '[CLS] how are you [SEP]');
  assert.equal(piecesOf('how are unaffable', 6), '[CLS] how are un ##aff [SEP]');
  assert.equal(tokenizer.encode('a '.repeat(1000), 128).length, 128);
  assert.equal(tokenizer.maxLength, 128);
});

test('a word of more than 100 characters is unknown, also one of astral characters', () => {
  assert.equal(piecesOf('a'.repeat(100)), `[CLS] a ${'##a '.repeat(99)}[SEP]`);
  assert.equal(piecesOf('a'.repeat(101)), '[CLS] [UNK] [SEP]');
  assert.equal(piecesOf(`${'𝔞'.repeat(150)} you`), '[CLS] [UNK] you [SEP]');
});

test('hostile texts of a megabyte take linear time and do not throw', () => {
  const started = performance.now();
  const size = 1 << 20;
  assert.equal(piecesOf('a'.repeat(size)), '[CLS] [UNK] [SEP]');
  assert.equal(piecesOf('\u0301\u0316'.repeat(size / 2)), '[CLS] [SEP]');
  assert.equal(piecesOf('\ud800'.repeat(size)), '[CLS] [SEP]');
  assert.equal(piecesOf('\udc00'.repeat(size)), '[CLS] [SEP]');
  assert.equal(tokenizer.encode('-'.repeat(size), 512).length, 512);
  assert.equal(tokenizer.encode(`${'unwantedunwanted'.repeat(6)} `.repeat(10_000), 512).length, 512);
  assert.ok(performance.now() - started < 2000, `took ${performance.now() - started} ms`);
});

test('a tokenizer of another kind is refused with what was expected', () => {
  const refusal = (json: string) => {
    try {
      new Tokenizer(json, 'tokenizer.json');
      return 'none';
    } catch (error) {
      const { code, message } = error as Error & { code: string };
      return `${code} ${message.split(';')[0]}`;
    }
  };
  assert.equal(
    refusal(fileOf({ model: { type: 'Unigram' } })),
    'model-unsupported tokenizer.json: expected a model WordPiece, got Unigram',
  );
  assert.equal(
    refusal(fileOf({ normalizer: { type: 'NFKC' } })),
    'model-unsupported tokenizer.json: expected a normalizer BertNormalizer, got NFKC',
  );
  assert.equal(
    refusal(fileOf({ splitter: { type: 'Metaspace' } })),
    'model-unsupported tokenizer.json: expected a pre_tokenizer BertPreTokenizer, got Metaspace',
  );
  assert.equal(
    refusal(fileOf({ model: { vocab: { a: 0 } } })),
    'model-unsupported tokenizer.json: expected the token [CLS], got none',
  );
  assert.match(refusal(fileOf({ model: { vocab: { a: 'b' } } })), /^model-damaged .* a vocabulary/);
  assert.match(refusal('{"model"'), /^model-damaged .* a JSON object/);
});
