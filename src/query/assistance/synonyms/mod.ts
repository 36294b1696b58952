/** Synonyms of words: from the operator's file, from a shipped list, and mined from titles and links. */

export { Synonyms } from './synonyms.ts';
export { parseSynonyms, type SynonymRule } from './synonyms-file.ts';
export { SynonymsFollower } from './synonyms-follower.ts';
