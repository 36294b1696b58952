/**
 * Translates notes on a query into the language of the page. A note is an English sentence, which the JSON
 * API returns unchanged. The notes that people see are recognized here by patterns; any other note is shown
 * in English and marked as such.
 */
import { type Html, html } from '../html.ts';
import type { MessageKey, Words } from '../messages/mod.ts';

/** The named groups of a pattern are the values of its message. */
const NOTES: readonly (readonly [pattern: RegExp, key: MessageKey])[] = [
  [/^Read as plain words: (?<text>.*)$/s, 'note.plain'],
  [/^The query only says what to leave out;/, 'note.leavesOut'],
  [/^(?<text>\S+\*) stands for many words; only the (?<number>\d+) /, 'note.prefix'],
  [/^Only the first (?<number>\d+) words are used\.$/, 'note.words'],
  [/^Parentheses more than (?<number>\d+) deep are ignored\.$/, 'note.deep'],
  [/^No link to this page is known: (?<text>.*)$/s, 'note.unlinked'],
  [/^This page is not in the index: (?<text>.*)$/s, 'note.unknown'],
  [/ (?<text>link|inanchor): finds nothing\.$/, 'note.links'],
  [/^A part of the index is damaged and was left out\.$/, 'note.damaged'],
  [/^The query needed more memory than one may have\.$/, 'note.memory'],
];

export function renderNote(note: string, words: Words): Html {
  for (const [pattern, key] of NOTES) {
    const found = pattern.exec(note);
    if (!found) continue;
    const { text = '', number = '0' } = found.groups ?? {};
    const values = { text: html`<bdi>${text}</bdi>`, number: Number(number) };
    return html`<p class="note">${words.markup(key, values)}</p>`;
  }
  return html`<p class="note" dir="auto" lang="en">${note}</p>`;
}
