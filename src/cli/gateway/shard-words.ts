/**
 * The suggested phrases and synonyms of a gateway, from the anchor texts and titles of all shards. Each index node stores the
 * names of the pages of its shards when it has applied a ranking; the gateway joins them when all shards have done so.
 */
import { askThread, type BlobStore, type Directory, type Log, messageOf } from '../../base/mod.ts';
import { bringShardNames } from '../../cluster/mod.ts';
import type { JoinRequest } from './join-names-thread.ts';

interface ShardWordsOptions {
  /** The blobs of all rankings. */
  blobs: BlobStore;
  shards: number;
  /** The directory for the names of the shards. */
  parts: Directory;
  /** The directory for the files of phrases and synonyms. */
  words: Directory;
  log: Log;
}

export class ShardWords {
  readonly #options: ShardWordsOptions;
  /** The ranking whose names were joined, or could not be joined. */
  #joined = '';

  constructor(options: ShardWordsOptions) {
    this.#options = options;
  }

  /** Joins the names of a ranking, if all shards have them. Rejects if S3 is away. */
  async refresh(ranking: string, signal: AbortSignal): Promise<void> {
    if (ranking === this.#joined) return;
    const { blobs, shards, parts, words, log } = this.#options;
    const names = await bringShardNames(blobs, ranking, shards, parts);
    if (names === null) return;
    this.#joined = ranking;
    try {
      const generation = Number(/\d+$/.exec(ranking)![0]);
      const request = { parts: parts.path, names, words: words.path, generation };
      await askThread<JoinRequest>(new URL('./join-names-thread.ts', import.meta.url), request, signal);
    } catch (error) {
      log.error('names of shards not joined', { ranking, reason: messageOf(error) });
    }
  }
}
