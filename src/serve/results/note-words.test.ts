import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../query/language/parse.ts';
import { MESSAGE_LANGUAGES, messagesOf } from '../messages/words.ts';
import { renderNote } from './note-words.ts';

const QUERIES = ['cat "dog', '-cat', 'x '.repeat(70), 'link:a.example', 'inanchor:cat'];
const OTHERS = [
  'A part of the index is damaged and was left out.',
  'The query needed more memory than one may have.',
  'No link to this page is known: a.example',
  'This page is not in the index: a.example',
];

test('common notes are in the language of the page', () => {
  const notes = [...QUERIES.flatMap((query) => parseQuery(query).notes), ...OTHERS];
  assert.equal(notes.length, QUERIES.length + OTHERS.length);
  for (const { tag } of MESSAGE_LANGUAGES) {
    const shown = notes.map((note) => String(renderNote(note, messagesOf(tag)!)));
    for (const each of shown) assert.doesNotMatch(each, /lang="en"/);
    if (tag === 'en') continue;
    const english = new Set(notes.map((note) => String(renderNote(note, messagesOf('en')!))));
    for (const each of shown) assert.ok(!english.has(each), `${tag}: ${each}`);
  }
  assert.equal(
    String(renderNote(notes[0]!, messagesOf('de')!)),
    '<p class="note">Als einfache Wörter gelesen: <bdi>&quot;dog</bdi></p>',
  );
});

test('an unknown note is shown in English and escaped', () => {
  assert.equal(
    String(renderNote('Something <new>.', messagesOf('fr')!)),
    '<p class="note" dir="auto" lang="en">Something &lt;new&gt;.</p>',
  );
});
