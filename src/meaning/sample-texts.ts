/**
 * Texts of words drawn from the vocabulary of a model. The model is measured on these texts once, when it is packed.
 * The texts depend on the model alone, so a model gives the same vectors on every machine.
 */
import { Random } from '../base/mod.ts';
import type { ModelFiles } from './model-files.ts';

/** Returns token ids of `count` texts of `length` words. */
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
