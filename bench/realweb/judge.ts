/**
 * Runs another program (the judge) that measures the same server with the same queries, and compares its
 * figures with those of the bench:
 *
 *   node JUDGE BASE QUERIES --json
 *
 * The program prints `{KIND: {queries, success1, success3, acceptable1, mrr10, ndcg10}}`, rounded to three digits.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KindMeasures, Measures } from './measures.ts';

const NAMES: Record<string, keyof Measures> = {
  success1: 'success@1',
  success3: 'success@3',
  acceptable1: 'acceptable@1',
  mrr10: 'MRR@10',
  ndcg10: 'nDCG@10',
};
/**
 * The maximum difference between a figure of the judge and the figure of the bench. The judge rounds to three
 * digits, so equal figures may differ by 0.0005.
 */
const TOLERANCE = 0.00051;

/** Returns a line for each figure of the judge that differs from the figure of the bench. */
export async function disagreements(
  judge: string,
  base: string,
  queries: string,
  ours: readonly KindMeasures[],
): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [judge, base, queries, '--json']);
  const theirs = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Record<string, Record<string, number>>;
  return ours.flatMap((means) =>
    Object.entries(NAMES).flatMap(([name, measure]) => {
      const their = theirs[means.kind]?.[name] ?? Number.NaN;
      const isEqual = Math.abs(their - means[measure]) <= TOLERANCE;
      return isEqual ? [] : [`${means.kind}, ${measure}: ${means[measure]} here, ${their} by the judge`];
    }),
  );
}
