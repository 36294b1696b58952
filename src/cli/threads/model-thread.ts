/** A thread that loads the model and then ends. The memory for loading is freed; the model stays in shared memory. */
import { serveChannel } from '../../base/mod.ts';
import { type LoadedModel, loadModel } from '../../meaning/mod.ts';

/** Request to the thread: the arguments of `loadModel`. */
export interface ModelRequest {
  directory: string;
  cacheDirectory: string;
  embedders: number;
}

serveChannel<ModelRequest, LoadedModel>({
  handle: ({ directory, cacheDirectory, embedders }) => loadModel(directory, cacheDirectory, embedders),
  isLast: () => true,
});
