/** Reads the figures of the frontier: URLs by state and outcome, and hosts by what they wait for. */
import { describeProblem, describeUrlReason } from '../../crawl/mod.ts';
import type { StoredFacts } from '../../serve/mod.ts';
import type { OpenCrawl } from './dashboard-thread.ts';

const MAX_REASONS = 12;

const WAITS: Readonly<Record<string, string>> = {
  failed: 'a pause after a failure',
  'retry-after': 'Retry-After of the host',
  'host-group': 'another host of its group',
  address: 'another host at its IP address',
  'domain-rate': 'the request rate of its domain',
  'robots-elsewhere': 'the host that has its robots.txt',
  'icon-elsewhere': 'the host that has its icon',
  'slow-parsing': 'a page that was slow to parse',
};

const PARKED: Readonly<Record<string, string>> = {
  failed: 'parked: requests failed',
  'long-delay': 'parked: a long delay',
  'host-budget-used': 'parked: its budget is used up',
  'domain-budget-used': 'parked: the budget of its domain is used up',
  'parser-deaths': 'parked: its pages broke the parser',
  unknown: 'parked by an earlier version',
};

export async function readFrontier({ state, hosts }: OpenCrawl): Promise<StoredFacts['frontier']> {
  const answers = await state.answers();
  const problems = await state.problems(MAX_REASONS);
  return {
    ...(await state.counts()),
    waits: hosts.waits().map(({ count, ...wait }) => [describeWaitCode(wait), count] as const),
    outcomes: answers.map(({ reason, count }) => [describeUrlReason(reason), count] as const),
    problems: problems.map((problem) => [describeProblem(problem), problem.count] as const),
  };
}

function describeWaitCode(wait: { waitReason: string; parkedReason: string; isHeldBack: boolean }): string {
  if (wait.isHeldBack) return 'the host budget of its domain';
  if (wait.parkedReason !== '') return PARKED[wait.parkedReason] ?? wait.parkedReason;
  return wait.waitReason === '' ? 'its delay, or its turn' : (WAITS[wait.waitReason] ?? wait.waitReason);
}
