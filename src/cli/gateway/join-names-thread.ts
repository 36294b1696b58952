/** Entry point of the thread that joins the names of all shards to phrases and synonyms; see shard-words.ts. */
import { openDirectory, serveChannel } from '../../base/mod.ts';
import { joinNames } from '../../lexicon/mod.ts';

export interface JoinRequest {
  /** The path of the directory with the names of the shards. */
  parts: string;
  /** The names of the files, in the order of the shards. */
  names: readonly string[];
  /** The path of the directory for the files of phrases and synonyms. */
  words: string;
  generation: number;
}

serveChannel<JoinRequest, void>({
  handle: ({ parts, names, words, generation }) =>
    joinNames(openDirectory(parts), names, openDirectory(words), generation),
});
