/**
 * Runs one target in a thread of its own, so that an input that hangs can be stopped. Before an input is run, it is
 * copied to shared memory, where `campaign.ts` finds it if the thread hangs or dies.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, Random } from '../../src/base/mod.ts';
import { crashersOf } from './crashers.ts';
import { Coverage } from './coverage.ts';
import { type FuzzMessage, type FuzzOrder, SHARED_HEAD_BYTES } from './fuzz-thread-messages.ts';
import { mutated } from './mutate.ts';
import { checkPrototypes, type FuzzTarget, MAX_INPUT_BYTES } from './target.ts';

/** The number of inputs between two looks at the coverage. */
const BATCH = 64;
const MAX_CORPUS = 1_000;
/** The longest time that a target may take, as a multiple of its budget of processor time. */
const MAX_WAIT = 20;

const order = workerData as FuzzOrder;
const head = new Int32Array(order.shared, 0, SHARED_HEAD_BYTES / 4);
const bytesOfInput = new Uint8Array(order.shared, SHARED_HEAD_BYTES);

// The targets of the self-test are loaded alone, because the others import most of the engine.
const isSelfTest = order.targets.every((name) => name.startsWith('self-test'));
const all = isSelfTest
  ? (await import('./targets/self-test.ts')).SELF_TEST_TARGETS
  : (await import('./targets.ts')).FUZZ_TARGETS;
send({ kind: 'ready' });
for (const [number, name] of order.targets.entries()) {
  head[2] = number;
  await fuzzTarget(all.find((target) => target.name === name)!);
}

async function fuzzTarget(target: FuzzTarget): Promise<void> {
  const before = Atomics.load(head, 0);
  const seeds = [...(await target.seeds()), ...crashersOf(target.name)];
  const corpus = seeds.map((seed) => Buffer.from(seed));
  const sources = { corpus, words: target.words ?? [], maxBytes: target.maxBytes ?? MAX_INPUT_BYTES };
  const random = new Random(order.seed);
  const coverage = order.isGuided ? new Coverage() : null;
  for (const seed of corpus) await tryInput(target, seed);
  coverage?.grow();
  const hasTime = budgetOf(order.budgetMs);
  while (hasTime()) {
    const batch: Buffer<ArrayBuffer>[] = [];
    while (batch.length < BATCH && hasTime()) {
      const input = mutated(random, sources);
      batch.push(input);
      await tryInput(target, input);
    }
    checkPrototypes();
    if (coverage && corpus.length < MAX_CORPUS)
      corpus.push(...(await withNewCode(target, coverage, batch, hasTime)));
  }
  coverage?.close();
  await target.close?.();
  const inputs = Atomics.load(head, 0) - before;
  send({ kind: 'done', target: target.name, inputs, reached: coverage?.size ?? 0 });
}

/**
 * Returns a function that tells if the budget is left. The budget is processor time of this thread, so that a busy machine
 * tries as many inputs. A target that mostly waits ends after MAX_WAIT times the budget.
 */
function budgetOf(budgetMs: number): () => boolean {
  const [startUsage, startMs] = [process.threadCpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.threadCpuUsage(startUsage);
    return (user + system) / 1000 < budgetMs && performance.now() - startMs < MAX_WAIT * budgetMs;
  };
}

/**
 * Returns the inputs of a batch that reach new code. If the batch has reached new code, its inputs run again, one by
 * one, until all of that code is explained.
 */
async function withNewCode(
  target: FuzzTarget,
  coverage: Coverage,
  batch: readonly Buffer<ArrayBuffer>[],
  hasTime: () => boolean,
): Promise<readonly Buffer<ArrayBuffer>[]> {
  const unexplained = coverage.grow();
  const found: Buffer<ArrayBuffer>[] = [];
  for (const input of batch) {
    if (unexplained.size === 0 || !hasTime()) break;
    await tryInput(target, input);
    if (coverage.explain(unexplained)) found.push(input);
  }
  return found;
}

async function tryInput({ name, run }: FuzzTarget, input: Buffer): Promise<void> {
  bytesOfInput.set(input);
  head[1] = input.length;
  Atomics.add(head, 0, 1);
  const before = process.threadCpuUsage();
  try {
    const result = run(Buffer.from(input));
    if (result instanceof Promise) await result;
  } catch (error) {
    const lines = String((error as Error)?.stack ?? error).split('\n');
    const place = lines.find((line) => /\/(?:src|test)\//.test(line))?.trim() ?? lines[0]!;
    report(name, input, messageOf(error), place);
  }
  const { user, system } = process.threadCpuUsage(before);
  const spentMs = (user + system) / 1000;
  if (spentMs > order.maxCpuMs) report(name, input, `took ${Math.round(spentMs)} ms of CPU time`, 'slow');
}

function report(target: string, input: Buffer, problem: string, place: string): void {
  send({ kind: 'failure', target, input: new Uint8Array(input), problem, place });
}

function send(message: FuzzMessage): void {
  parentPort!.postMessage(message);
}
