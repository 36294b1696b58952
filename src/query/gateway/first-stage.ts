/**
 * The first stage over all shards: the statistics of the query's words, and the best candidates by them.
 *
 * The statistics of all shards are joined before a shard scores a document, so scores do not depend on the
 * number of shards.
 */
import type { Profile } from '../../scoring/mod.ts';
import { DEFAULT_STEMMING } from '../../text/mod.ts';
import { LateError } from '../deadline.ts';
import { CandidateList } from '../results/mod.ts';
import {
  contentWordsOf,
  type GlobalStatistics,
  joinStatistics,
  readLongText,
  type TermQuery,
  usesOf,
  writtenForms,
} from '../terms/mod.ts';
import type { ShardGroup } from './shard-group.ts';

/** A query that all shards answer with the same statistics. */
export interface GlobalQuery {
  group: ShardGroup;
  query: TermQuery;
  statistics: GlobalStatistics;
  profile: Profile;
  /** The written forms of the query's words over all shards; null for a single shard. */
  forms: ReadonlyMap<string, number> | null;
}

interface CandidateLimits {
  keep: number;
  count: boolean;
  after: { score: number; fingerprint: bigint } | null;
}

/** Gathers the statistics of the query's words; `text` is the text from which the words were read. */
export async function gatherStatistics(
  query: TermQuery,
  text: string,
  group: ShardGroup,
  profile: Profile,
): Promise<GlobalQuery> {
  const words = query.terms;
  const withForms = group.count > 1;
  const parts = await group.ask((shard, request) => shard.statistics({ ...request, words, withForms }));
  const statistics = joinStatistics(parts, words, usesOf(text, query), profile.functionWords);
  const forms = withForms
    ? writtenForms(
        query,
        parts.map((part) => part.forms!),
      )
    : null;
  return { group, query, statistics, profile, forms };
}

/** Returns the words of a long text that say what it is about, by the statistics of all shards. */
export async function findContentWords(text: string, group: ShardGroup): Promise<readonly string[]> {
  const long = readLongText(text, group.stemmings[0] ?? DEFAULT_STEMMING);
  if (long.terms.length === 0) return long.words;
  const words = long.terms;
  const parts = await group.ask((shard, request) =>
    shard.statistics({ ...request, words, withForms: false }),
  );
  return contentWordsOf(long, parts);
}

export async function findCandidates(
  { group, ...query }: GlobalQuery,
  limits: CandidateLimits,
): Promise<CandidateList> {
  const { candidates, close } = query.profile;
  const rough = {
    roughCount: limits.after ? 0 : candidates,
    roughAbove: group.count === 1 ? close : 0,
  };
  const replies = await group.ask((shard, request) =>
    shard.candidates({ ...request, ...query, ...limits, ...rough }),
  );
  return new CandidateList(replies, limits.keep);
}

/** The number of documents that are added to the close candidates because of their meaning. */
const NEAREST = 50;

/** Returns the documents with the closest meaning; null if the meaning of the query is not known. */
export async function findNearestDocuments({ group, query }: GlobalQuery): Promise<CandidateList | null> {
  const { meaning, requirement } = query;
  if (!meaning) return null;
  const replies = await group.ask((shard, request) =>
    shard.nearest({ ...request, requirement, meaning, keep: NEAREST }),
  );
  return new CandidateList(replies, NEAREST);
}

/** Returns the best matches; throws a LateError if there is no time to find them all. */
export async function findAllCandidates(search: GlobalQuery, keep: number): Promise<CandidateList> {
  const list = await findCandidates(search, { keep, count: false, after: null });
  if (list.isPartial) throw new LateError();
  return list;
}
