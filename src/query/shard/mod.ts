/**
 * A shard searches a part of the documents, and scores them with the statistics of all documents. `search-shard.ts`
 * is its interface to the gateway; `LocalShard` implements it over an index on this machine.
 */

export {
  findNearDuplicates,
  type InspectedUrl,
  inspectUrlIn,
} from './inspected-document.ts';
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
