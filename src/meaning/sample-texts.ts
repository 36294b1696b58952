/**
 * Generates texts of random words from the vocabulary of a model. The model is measured on them once, when its
 * weights are packed. The texts depend on the model alone, so a model gives the same vectors on every machine.
 */
import { Random } from '../base/mod.ts';
import type { ModelFiles } from './model-files.ts';

/** Returns the token ids of `count` random texts of `length` words each. */
export function sampleTexts({ tokenizer, shape }: ModelFiles, count: number, length: number): number[][] {
  const random = new Random(1);
  const [begin, end] = tokenizer.encode('', 2) as [number, number];
  const words = tokenizer.wordIds();
  const fitting = Math.min(length, shape.positions - 2);
  return Array.from({ length: count }, () => [
    begin,
    ...Array.from({ length: fitting }, () => random.pick(words)),
    end,
  ]);
}
