/** The messages between `campaign.ts` and its threads. */

export interface FuzzOrder {
  targets: readonly string[];
  seed: number;
  /** The processor time of each target. */
  budgetMs: number;
  /** True to keep the inputs that reach new code. */
  isGuided: boolean;
  /** The CPU time that one input may take. */
  maxCpuMs: number;
  /** Number of inputs, length of the input, number of the target, and the bytes of the input. */
  shared: SharedArrayBuffer;
}

export type FuzzMessage =
  | { kind: 'ready' }
  | { kind: 'failure'; target: string; input: Uint8Array; problem: string; place: string }
  | { kind: 'done'; target: string; inputs: number; reached: number };

export const SHARED_HEAD_BYTES = 12;
