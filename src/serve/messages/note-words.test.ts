import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryNote } from '../../query/mod.ts';
import { noteText, renderNote } from './note-words.ts';
import { MESSAGE_LANGUAGES, messagesOf } from './words.ts';

const text = 'a <b>';
const NOTES: QueryNote[] = [
  { code: 'plain-words', values: { text } },
  { code: 'only-excluding', values: {} },
  { code: 'prefix-words', values: { text: 'a*', number: 64 } },
  { code: 'pair-words', values: { text: '年', number: 64 } },
  { code: 'too-many-words', values: { number: 64 } },
  { code: 'too-deep', values: { number: 16 } },
  { code: 'list-limit', values: { number: 10_000 } },
  { code: 'no-links', values: { text: 'link' } },
  { code: 'unlinked-page', values: { text } },
  { code: 'unknown-page', values: { text } },
  { code: 'foreign-cursor', values: {} },
  { code: 'index-changed', values: {} },
  { code: 'damaged-index', values: {} },
  { code: 'absent-shard', values: {} },
  { code: 'out-of-memory', values: {} },
];

test('notes are in the language of the page, and their values are escaped', () => {
  for (const { tag } of MESSAGE_LANGUAGES) {
    for (const note of NOTES) {
      const shown = String(renderNote(note, messagesOf(tag)!));
      assert.doesNotMatch(shown, /<b>|undefined|\{/, `${tag}: ${shown}`);
      const isEnglish = shown === String(renderNote(note, messagesOf('en')!));
      assert.equal(isEnglish, tag === 'en', `${tag}: ${shown}`);
    }
  }
  assert.equal(
    String(renderNote(NOTES[0]!, messagesOf('de')!)),
    '<p class="note">Als einfache Wörter gelesen: <bdi>a &lt;b&gt;</bdi></p>',
  );
});

test('the text of a note is one English sentence with its values', () => {
  assert.equal(noteText(NOTES[0]!), 'Read as plain words: a <b>');
  assert.equal(noteText(NOTES[2]!), 'a* matches many words; only the 64 most common are used.');
  assert.match(noteText(NOTES[7]!), /run gyre rank\): link: finds nothing/);
  assert.equal(new Set(NOTES.map(noteText)).size, NOTES.length);
});
