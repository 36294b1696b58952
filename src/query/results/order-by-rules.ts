import type { SiteEffect, SiteJudge } from '../../url/mod.ts';

const FACTORS: Readonly<Record<SiteEffect, number>> = { block: 0, lower: 0.5, raise: 1.5, pin: 1, normal: 1 };

/** Returns a function from a host to the factor by which the visitor's rules multiply its scores. */
export function factorBy(judge: SiteJudge): (host: string) => number {
  return (host) => FACTORS[judge.effectOn(host)];
}

/**
 * Orders results by the visitor's site rules. First come the results of pinned sites (`pinned`), even if they
 * rank far down. Then come the first `ranked` results, ordered by score times factor. The results after the
 * first `ranked` keep their order, so that reading further pages never changes the pages before.
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
