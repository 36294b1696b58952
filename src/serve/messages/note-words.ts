/** Renders notes on a query: in the language of the page, and as English text for the API and the command line. */
import type { QueryNote } from '../../query/mod.ts';
import { type Html, html } from '../html.ts';
import { type MessageKey, messagesOf, type Words } from './words.ts';

const MESSAGES: Readonly<Record<QueryNote['code'], MessageKey>> = {
  'plain-words': 'note.plain',
  'only-excluding': 'note.leavesOut',
  'prefix-words': 'note.prefix',
  'pair-words': 'note.pairs',
  'too-many-words': 'note.words',
  'too-deep': 'note.deep',
  'list-limit': 'note.listed',
  'no-links': 'note.links',
  'unlinked-page': 'note.unlinked',
  'unknown-page': 'note.unknown',
  'foreign-cursor': 'note.cursor',
  'index-changed': 'note.changed',
  'damaged-index': 'note.damaged',
  'absent-shard': 'note.absent',
  'out-of-memory': 'note.memory',
};

export function renderNote({ code, values }: QueryNote, words: Words): Html {
  const shown = 'text' in values ? { ...values, text: html`<bdi>${values.text}</bdi>` } : { ...values };
  return html`<p class="note">${words.markup(MESSAGES[code], shown)}</p>`;
}

/**
 * Returns a note as one English sentence. Operators read it too, so it names the command to run if the link
 * data is missing.
 */
export function noteText({ code, values }: QueryNote): string {
  if (code === 'no-links')
    return `There is no link graph yet (run gyre rank): ${values.text}: finds nothing.`;
  return messagesOf('en')!.text(MESSAGES[code], { ...values });
}
