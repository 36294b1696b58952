/**
 * Runs the first stage of a search on all shards: gathers the statistics of the query's words and finds the best
 * candidates.
 *
 * The statistics of all shards are added up before a shard scores a document, so scores do not depend on the number
 * of shards.
 */
import type { Profile } from '../../scoring/mod.ts';
import { DEFAULT_STEMMING, titleKeyOf } from '../../text/mod.ts';
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

/** A query with its statistics over all shards. Every shard scores documents with these statistics. */
export interface GlobalQuery {
  group: ShardGroup;
  query: TermQuery;
  statistics: GlobalStatistics;
  profile: Profile;
  /**
   * The written forms of the query's words in all shards, for snippets; null if there is only one shard,
   * because this shard knows the forms.
   */
  forms: ReadonlyMap<string, number> | null;
}

interface CandidateLimits {
  keep: number;
  count: boolean;
  after: { score: number; fingerprint: bigint } | null;
}

/** Gathers the statistics of the query's words from all shards. `text` is the text of the query. */
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

/** Returns the most characteristic words of a long text, by the document frequencies of all shards. */
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

/** The number of documents that are found by meaning and get full features in the second stage. */
const NEAREST = 50;

/** The number of documents whose title is the query that get full features in the second stage. */
const TITLED = 20;

/** Documents that get full features in the second stage, whatever their rough scores are. */
export interface FurtherDocuments {
  /** Returns the documents. `list` has the candidates of the first stage. */
  besides(list: CandidateList): Promise<CandidateList[]>;
}

/**
 * Finds the documents whose meaning is closest to the query, and those whose title is the query. If there are several
 * shards, they are asked together with the first stage, because they may be remote and each step costs a way there and back.
 */
export function findFurtherDocuments(search: GlobalQuery): FurtherDocuments {
  const isDivided = search.group.count > 1;
  const nearest = isDivided ? findNearestDocuments(search) : null;
  const titled = isDivided ? findTitledDocuments(search) : null;
  // An error is reported by `besides`; if it is not called, the error does not matter.
  for (const found of [nearest, titled]) found?.catch(() => {});
  return {
    async besides(list) {
      const found = [await (nearest ?? findNearestDocuments(search))];
      // With fewer candidates, all of them get full features.
      if (list.count > search.profile.close) found.push(await (titled ?? findTitledDocuments(search)));
      return found.filter((further) => further !== null);
    },
  };
}

async function findTitledDocuments({ group, query }: GlobalQuery): Promise<CandidateList | null> {
  const { text, requirement } = query;
  const titleKey = titleKeyOf(text);
  if (titleKey === 0) return null;
  const replies = await group.ask((shard, request) =>
    shard.titled({ ...request, requirement, titleKey, keep: TITLED }),
  );
  return new CandidateList(replies, TITLED);
}

/** Returns the documents whose meaning is closest to the query; null if the query has no vector. */
async function findNearestDocuments({ group, query }: GlobalQuery): Promise<CandidateList | null> {
  const { meaning, requirement } = query;
  if (!meaning) return null;
  const replies = await group.ask((shard, request) =>
    shard.nearest({ ...request, requirement, meaning, keep: NEAREST }),
  );
  return new CandidateList(replies, NEAREST);
}

/**
 * Returns the `keep` best matches of the first stage. Throws a LateError at the time limit instead of a partial
 * list.
 */
export async function findAllCandidates(search: GlobalQuery, keep: number): Promise<CandidateList> {
  const list = await findCandidates(search, { keep, count: false, after: null });
  if (list.isPartial) throw new LateError();
  return list;
}
