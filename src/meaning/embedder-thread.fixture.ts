/** A thread that embeds texts with a model that another thread has loaded. */
import { parentPort, workerData } from 'node:worker_threads';
import { embedderOf } from './embedder.ts';
import type { LoadedModel } from './load-model.ts';

const { model, texts } = workerData as { model: LoadedModel; texts: string[] };
parentPort!.postMessage(embedderOf(model).embed(texts));
