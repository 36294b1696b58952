/**
 * Shortens vectors: the first numbers of a vector, until a fitted projection replaces them.
 */
import type { ModelFiles } from './model-files.ts';
import { dimensionOf, layoutOf } from './model-layout.ts';

export function fitProjection({ shape }: ModelFiles, memory: WebAssembly.Memory): void {
  const dimension = dimensionOf(shape);
  const rows = new Float32Array(memory.buffer, layoutOf(shape).projection, dimension * shape.width);
  for (let i = 0; i < dimension; i++) rows[i * shape.width + i] = 1;
}
