/**
 * The thread of the relevance desk: searches with profiles that are not in force, and measures profiles over all judged
 * queries. Both take too long for the thread that accepts connections.
 */
import { sendEvent, serveChannel } from '../../base/mod.ts';
import type { Measures, Profile } from '../../scoring/mod.ts';
import type { DeskResult } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';
import { type Judged, measureProfile, openForEvaluation } from './judged-run.ts';
import { type Comparisons, compareMeasures } from './publish-profile.ts';

const RESULTS = 10;

export type ProfilePair = readonly [Profile, Profile];

export type RelevanceRequest = { config: Config; profiles: ProfilePair } & (
  | { kind: 'search'; query: string }
  | { kind: 'evaluate'; judged: Judged }
);

/** The measures of both profiles by query, and their differences. */
export interface MeasuredPair {
  queries: readonly [Measures[], Measures[]];
  compared: Comparisons;
}

/** The results of both profiles, or their measures. */
export type RelevanceReply = [DeskResult[], DeskResult[]] | MeasuredPair;

serveChannel<RelevanceRequest, RelevanceReply>({
  handle: async (request) => {
    const { config, profiles } = request;
    const [first, second] = profiles;
    if (request.kind === 'search') {
      const { query } = request;
      return [await searchWith(config, first, query), await searchWith(config, second, query)];
    }
    const onQuery = () => sendEvent('query');
    const { queries: before } = await measureProfile(config, first, request.judged, onQuery);
    const { queries: after } = await measureProfile(config, second, request.judged, onQuery);
    return { queries: [before, after], compared: compareMeasures(before, after) };
  },
});

async function searchWith(config: Config, profile: Profile, query: string): Promise<DeskResult[]> {
  const { searcher, close } = openForEvaluation(config, profile);
  try {
    const { results } = await searcher.search({ query, offset: 0, limit: RESULTS, asTyped: true });
    return results.map(({ url, title }) => ({ url, title }));
  } finally {
    close();
  }
}
