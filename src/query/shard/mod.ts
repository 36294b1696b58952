/**
 * A shard searches a part of the documents with statistics of all of them. `search-shard.ts` is the seam to
 * the gateway; `LocalShard` implements it over an index on this machine.
 */

export { LocalShard } from './local-shard.ts';
export {
  type CandidatesReply,
  type ExpansionTerm,
  type PageTerms,
  type SearchShard,
  ShardChangedError,
  type ShardDoc,
  type ShardRequest,
  type ShardState,
  type ShownDocument,
  type WordsReply,
} from './search-shard.ts';
