import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../html.ts';
import {
  ENGLISH_MESSAGES,
  languageFor,
  MESSAGE_LANGUAGES,
  type Message,
  type MessageKey,
  messagesOf,
  wordsFor,
} from './words.ts';

const [english] = MESSAGE_LANGUAGES;
const KEYS = Object.keys(english!.messages) as MessageKey[];

function formsOf(message: Message): string[] {
  return typeof message === 'string' ? [message] : Object.values(message);
}

function places(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g))].sort();
}

test('every language has every message with the same placeholders', () => {
  for (const { tag, messages } of MESSAGE_LANGUAGES) {
    assert.deepEqual(Object.keys(messages).sort(), [...KEYS].sort(), tag);
    for (const key of KEYS) {
      const expected = places(formsOf(english!.messages[key]).join(' ')).filter(
        (place) => place !== '{count}',
      );
      for (const form of formsOf(messages[key])) {
        assert.notEqual(form.trim(), '', `${tag} ${key}`);
        const found = places(form).filter((place) => place !== '{count}');
        assert.deepEqual(found, expected, `${tag} ${key}: ${form}`);
      }
    }
  }
});

test('a message with forms has one for each plural category of its language', () => {
  for (const { tag, messages } of MESSAGE_LANGUAGES) {
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.sort();
    for (const key of KEYS) {
      const message = messages[key];
      if (typeof message === 'string') assert.equal(typeof english!.messages[key], 'string', `${tag} ${key}`);
      else assert.deepEqual(Object.keys(message).sort(), categories, `${tag} ${key}`);
    }
  }
});

test('the count selects the plural form, and numbers have the format of the language', () => {
  const total = (tag: string, count: number) => messagesOf(tag)!.text('results.total', { count });
  assert.equal(total('en', 1), 'There is 1 result.');
  assert.equal(total('en', 1234), 'There are 1,234 results.');
  assert.equal(total('de', 1234), 'Es gibt 1.234 Ergebnisse.');
  assert.equal(total('fr', 0), 'Il y a 0 résultat.');
  assert.equal(total('fr', 12_345), 'Il y a 12\u202f345 résultats.');
  assert.equal(total('fr', 1e6), 'Il y a 1\u202f000\u202f000 de résultats.');
  assert.equal(total('ar', 2), 'توجد نتيجتان.');
  assert.match(total('ar', 5), /نتائج/);
  assert.match(total('ar', 11), /نتيجة/);
});

test('values are escaped in messages, and markup values are kept', () => {
  const shown = ENGLISH_MESSAGES.markup('spelling.maybe', { query: html`<a href="/x">${'<b>'}</a>` });
  assert.equal(String(shown), 'Did you mean <a href="/x">&lt;b&gt;</a>?');
  assert.equal(
    String(ENGLISH_MESSAGES.markup('spelling.maybe', { query: '<b>' })),
    'Did you mean &lt;b&gt;?',
  );
});

test('the language follows Accept-Language by weight', () => {
  const cases: [string, string][] = [
    ['', 'en'],
    ['de', 'de'],
    ['de-AT, en;q=0.5', 'de'],
    ['en;q=0.5, fr-CA;q=0.8', 'fr'],
    ['ja, ar;q=0.2', 'ar'],
    ['ja', 'en'],
    ['*', 'en'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['xx;q=nonsense, fr', 'fr'],
    [`${'x,'.repeat(10_000)}fr`, 'en'],
  ];
  for (const [header, tag] of cases) assert.equal(wordsFor(header).tag, tag, header.slice(0, 40));
});

test('the language of the searcher is the first of Accept-Language, with or without messages', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['*', ''],
    ['pt-BR, en;q=0.5', 'pt'],
    ['en;q=0.5, ja;q=0.8', 'ja'],
    ['<script>, de;q=0.5', ''],
  ];
  for (const [header, language] of cases) assert.equal(languageFor(header), language, header);
});

test('durations are formatted with few digits', () => {
  assert.equal(ENGLISH_MESSAGES.duration(3.21), '3.2 ms');
  assert.equal(ENGLISH_MESSAGES.duration(12.4), '12 ms');
  assert.equal(ENGLISH_MESSAGES.duration(0.01), '0.1 ms');
  assert.equal(ENGLISH_MESSAGES.duration(999.7), '1 sec');
  assert.equal(ENGLISH_MESSAGES.duration(1312), '1.3 sec');
});

test('a language has its name, and anything else that a page declares is shown as it is', () => {
  assert.equal(ENGLISH_MESSAGES.languageName('de'), 'German');
  assert.equal(ENGLISH_MESSAGES.languageName('pt-BR'), 'Brazilian Portuguese');
  for (const tag of ['x', '', 'english please', 'x-default', 'en--us', 'de-1'])
    assert.equal(ENGLISH_MESSAGES.languageName(tag), tag);
});
