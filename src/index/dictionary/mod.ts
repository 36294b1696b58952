/**
 * The sorted terms and words of a segment, in blocks of 32 with samples in memory. Finds a term, walks terms
 * in order, and finds words by prefix, by other spellings, or within an edit distance.
 */

export { hasSeveralForms, type TermEntry, type TermForm, type WordOfTerm } from './dictionary-format.ts';
export { DictionaryReader, WordsReader } from './dictionary-reader.ts';
export { DictionaryWriter, WordsWriter } from './dictionary-writer.ts';
export { MAX_FORMS, orderForms, REST } from './forms.ts';
export { type NearWord, nearWords } from './near-words.ts';
export { beginningsAmong, spellingsAmong } from './spellings.ts';
