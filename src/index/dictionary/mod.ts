/**
 * The sorted terms and words of a segment, in blocks of 32; the first string of each block is in memory. Finds
 * a term, walks terms in order, and finds words by prefix or by other spellings.
 */

export { hasSeveralForms, type TermEntry, type TermForm, type WordOfTerm } from './dictionary-format.ts';
export { DictionaryReader, WordsReader } from './dictionary-reader.ts';
export { DictionaryWriter, WordsWriter } from './dictionary-writer.ts';
export { MAX_FORMS, orderForms } from './forms.ts';
export type { EncodedStrings } from './sorted-blocks.ts';
