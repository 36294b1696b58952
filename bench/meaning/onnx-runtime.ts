/** Runs the model in ONNX Runtime, on one thread. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ModelFiles } from '../../src/meaning/model-files.ts';
import type { Encode } from './measure.ts';
import { onnxModelOf } from './onnx-model.ts';

/**
 * The API of ONNX Runtime that is used here. The library is installed below bench/, so the compiler has no
 * types for it.
 */
interface OnnxRuntime {
  InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, shape: number[]) => object;
}
interface Session {
  run(inputs: Record<string, object>): Promise<Record<string, { data: Float32Array }>>;
}

export async function openOnnxRuntime(files: ModelFiles, isSigned: boolean): Promise<Encode> {
  const require = createRequire(join(import.meta.dirname, 'package.json'));
  const { InferenceSession, Tensor } = require('onnxruntime-node') as OnnxRuntime;
  const { bytes, output } = onnxModelOf(files, isSigned);
  const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  return async (ids) => {
    const tensor = new Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]);
    return (await session.run({ ids: tensor }))[output]!.data;
  };
}
