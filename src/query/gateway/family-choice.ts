/**
 * The family filter of a search: the level that the request asks for, else that of the index, and the number of matches
 * that it hides.
 */
import type { FamilyLevel } from '../../index/mod.ts';
import type { SearchRequest } from '../searcher.ts';
import { type TermQuery, withRequirement } from '../terms/mod.ts';
import { findCandidates, type GlobalQuery } from './first-stage.ts';
import type { ShardGroup } from './shard-group.ts';

/** The level of the family filter for a request, and true if it hides the same documents as the level of the index. */
interface FamilyChoice {
  level: FamilyLevel;
  isUsual: boolean;
}

export function familyOf({ family }: SearchRequest, { states }: ShardGroup): FamilyChoice {
  const level = family ?? states[0]!.family;
  const isUsual = states.every(
    ({ familyHidden, family: usual }) => familyHidden[level] === familyHidden[usual],
  );
  return { level, isUsual };
}

/**
 * Sets the level of the family filter for a query. Adds a condition only if the level hides other documents than the
 * default level of the index does, because a query with a condition takes longer.
 */
export function withFamily(query: TermQuery, { level, isUsual }: FamilyChoice): TermQuery {
  return isUsual || !query.condition ? query : withRequirement(query, { kind: 'family', level });
}

/**
 * Counts the matches that the family filter hides. This is an additional search, which runs only if the index has
 * documents to hide.
 */
export async function countHidden(search: GlobalQuery, level: FamilyLevel): Promise<number> {
  if (search.group.states.every(({ familyHidden }) => familyHidden[level] === 0)) return 0;
  const rated = withRequirement(withRequirement(search.query, { kind: 'family', level: 'off' }), {
    kind: 'rated',
    level,
  });
  const { total } = await findCandidates({ ...search, query: rated }, { keep: 1, count: true, after: null });
  return total;
}
