/**
 * Computes the memory that serving an index needs, so that a memory limit that is too small is refused at the start.
 */
import { formatSize, type Log, UsageError } from '../../base/mod.ts';
import { summarizeIndex } from '../../index/mod.ts';
import { commandFor } from '../advice.ts';
import type { DataDirectory } from '../data-directory.ts';
import { type Config, isDefaultMemory } from '../settings/mod.ts';

const KI = 1024;
const MI = KI * KI;

/**
 * Memory that serving needs: a fixed amount and an amount per document, for tables in the search threads, the indexer
 * and the thread that computes vectors. Measured on 90,000 real pages.
 */
const NEEDS = {
  serve: { fixedBytes: 384 * MI, perDocumentBytes: 2.5 * KI },
  up: { fixedBytes: 512 * MI, perDocumentBytes: 3.5 * KI },
} as const;

/**
 * Throws a UsageError if the memory limit is too small for the index. If the limit is the default, only logs a
 * warning.
 */
export function checkServingMemory(
  command: keyof typeof NEEDS,
  data: DataDirectory,
  config: Config,
  log: Log,
): void {
  const { docCount } = summarizeIndex(data.index);
  const { fixedBytes, perDocumentBytes } = NEEDS[command];
  const neededBytes = fixedBytes + docCount * perDocumentBytes;
  if (config.memoryBytes >= neededBytes) return;
  const [memory, needed] = [config.memoryBytes, neededBytes].map(formatSize);
  if (isDefaultMemory(config.memoryBytes, fixedBytes)) {
    log.warn('memory may not be enough for the index', { memory, needed, documents: docCount });
    return;
  }
  const again = commandFor(`${command} --memory ${Math.ceil(neededBytes / MI)}Mi`, config.data);
  throw new UsageError(
    'memory-too-small',
    `memory is ${memory}, but gyre ${command} needs at least ${needed} for an index of ${docCount} documents: run ${again}`,
  );
}
