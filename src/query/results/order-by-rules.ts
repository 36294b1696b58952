import type { SiteEffect, SiteJudge } from '../../url/mod.ts';

const FACTORS: Readonly<Record<SiteEffect, number>> = { block: 0, lower: 0.5, raise: 1.5, pin: 1, normal: 1 };

/** Returns a function that maps a host to the factor of its scores. */
export function factorBy(judge: SiteJudge): (host: string) => number {
  return (host) => FACTORS[judge.effectOn(host)];
}

/**
 * Orders the list by the rules. The results of pinned sites come first: those in `pinned`, which may rank far down in
 * the list. Then come the first `ranked` results of the list by score times factor. The results after them keep their
 * order, so that reading the list deeper never changes the results above.
 */
export function orderByRules<Result extends { score: number }>(
  list: readonly Result[],
  pinned: readonly Result[],
  ranked: number,
  judge: SiteJudge,
  hostOf: (result: Result) => string,
  isSame: (a: Result, b: Result) => boolean,
): Result[] {
  const isPinned = (result: Result) => judge.effectOn(hostOf(result)) === 'pin';
  const first = pinned.filter(isPinned);
  const isTaken = (result: Result) => isPinned(result) && first.some((each) => isSame(each, result));
  const head = list.slice(0, ranked).filter((result) => !isTaken(result));
  const tail = list.slice(ranked).filter((result) => !isTaken(result));
  const factorOf = factorBy(judge);
  const weighed = head.map((result) => ({ ...result, score: result.score * factorOf(hostOf(result)) }));
  return [...first, ...weighed.sort((a, b) => b.score - a.score), ...tail];
}
