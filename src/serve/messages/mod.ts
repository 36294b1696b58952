/**
 * The UI messages of all pages in English, German, French and Arabic, one JSON file per language, and the
 * texts of notes on a query.
 */

export { noteText, renderNote } from './note-words.ts';
export {
  ENGLISH_MESSAGES,
  isMessage,
  languageFor,
  MESSAGE_LANGUAGES,
  type MessageKey,
  messagesOf,
  Words,
  wordsFor,
} from './words.ts';
