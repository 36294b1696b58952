/** Synonyms: the operator's file and the pairs mined from titles and links. */

export { Synonyms } from './synonyms.ts';
export { parseSynonyms, type SynonymRule } from './synonyms-file.ts';
export { SynonymsFollower } from './synonyms-follower.ts';
