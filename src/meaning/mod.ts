/**
 * meaning: turns texts into short vectors whose dot product says how close their meanings are, with a small
 * language model (BERT family) that runs in this process. A text of 128 tokens takes about 30 ms of one core, a
 * query 3 ms; a loaded model takes 40 MB, which threads share. It does not depend on pages, indexes or scores.
 * If no model is installed, search works without vectors.
 */

export { type Embedder, embedderOf, openEmbedder } from './embedder.ts';
export { defaultModelDirectory, type LoadedModel, loadModel } from './load-model.ts';
export { checkModel } from './model-files.ts';
export { passagesOf } from './passages.ts';
