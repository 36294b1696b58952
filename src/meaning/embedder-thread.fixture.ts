/** A test thread that embeds texts with a model that another thread has loaded. */
import { parentPort, workerData } from 'node:worker_threads';
import { embedderOf } from './embedder.ts';
import type { LoadedModel } from './load-model.ts';

const { model, number, texts } = workerData as { model: LoadedModel; number: number; texts: string[] };
parentPort!.postMessage(embedderOf(model, number).embed(texts));
