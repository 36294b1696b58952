/** A thread that loads the model and ends. Its memory is given back; the model stays in shared memory. */
import { serveChannel } from '../../base/mod.ts';
import { type LoadedModel, loadModel } from '../../meaning/mod.ts';

/** The arguments of `loadModel`. */
export interface ModelRequest {
  directory: string;
  cacheDirectory: string;
  embedders: number;
}

serveChannel<ModelRequest, LoadedModel>({
  handle: ({ directory, cacheDirectory, embedders }) => loadModel(directory, cacheDirectory, embedders),
  isLast: () => true,
});
