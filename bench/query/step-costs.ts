/**
 * Measures the processor time of the steps of a query. A shard in the same process finishes its work before its
 * method returns. Therefore the time of a step of the shard is the time of its method calls, and the rest of
 * the query's time belongs to the gateway.
 */
import type { CountsRequest, SearchShard } from '../../src/query/shard/search-shard.ts';

const STEPS = ['terms', 'firstStage', 'features', 'expansion', 'details'] as const;
type Step = (typeof STEPS)[number];
type Call = (request: never) => unknown;

const STEP_OF: Partial<Record<string, Step>> = {
  lookUpWords: 'terms',
  countDocuments: 'terms',
  statistics: 'terms',
  candidates: 'firstStage',
  nearest: 'firstStage',
  features: 'features',
  topicTerms: 'expansion',
  expansionScores: 'expansion',
  details: 'details',
  urls: 'details',
};

export class StepCosts {
  readonly #ms = new Map<Step, number>(STEPS.map((step) => [step, 0]));
  #totalMs = 0;
  #queries = 0;

  /** Returns the same shard with measured calls. */
  measured(shard: SearchShard): SearchShard {
    return new Proxy(shard, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const call: Call = value.bind(target);
        return (request: never) => this.#call(stepOf(String(name), request), () => call(request));
      },
    });
  }

  async query(search: () => Promise<unknown>): Promise<void> {
    const before = process.threadCpuUsage();
    await search();
    this.#totalMs += msSince(before);
    this.#queries++;
  }

  /** Returns the mean processor time of each step per query, in ms. */
  means(): Record<string, number> {
    const perQuery = (ms: number) => ms / Math.max(1, this.#queries);
    const sum = STEPS.reduce((all, step) => all + this.#ms.get(step)!, 0);
    return {
      ...Object.fromEntries(STEPS.map((step) => [`${step}Cpu`, perQuery(this.#ms.get(step)!)])),
      gatewayCpu: perQuery(this.#totalMs - sum),
    };
  }

  #call(step: Step | undefined, call: () => unknown): unknown {
    if (!step) return call();
    const before = process.threadCpuUsage();
    const reply = call();
    this.#ms.set(step, this.#ms.get(step)! + msSince(before));
    return reply;
  }
}

/**
 * Returns the step to which a call of a shard belongs. A request that counts documents only up to a limit
 * belongs to query expansion.
 */
function stepOf(name: string, request: unknown): Step | undefined {
  const isExpansion =
    name === 'countDocuments' && (request as CountsRequest).ceiling < Number.POSITIVE_INFINITY;
  return isExpansion ? 'expansion' : STEP_OF[name];
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
