import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { compileKernel } from './kernel.ts';

test('the error for a kernel that is not compiled has the command that compiles it', () => {
  const file = pathToFileURL(join(import.meta.dirname, 'missing.wasm'));
  assert.throws(() => compileKernel(file), {
    code: 'kernel-missing',
    message: 'missing.wasm is not compiled; run npm run build:kernels',
  });
});
