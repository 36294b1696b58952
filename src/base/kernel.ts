/**
 * Loads WebAssembly kernels.
 *
 * A kernel is compiled once per thread, when it is first needed; every further load only creates an instance
 * over the given memory. The caller declares the type of the exports: it is not checked.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GyreError, systemCode } from './errors.ts';

/** Functions that a kernel calls, by module and name. */
type KernelImports = Record<string, Record<string, unknown>>;

const compiled = new Map<string, WebAssembly.Module>();

/** Compiles the `.wasm` file, or returns the module that this thread compiled before. */
export function compileKernel(file: URL): WebAssembly.Module {
  const known = compiled.get(file.href);
  if (known) return known;
  const module = new WebAssembly.Module(readKernel(file));
  compiled.set(file.href, module);
  return module;
}

/** Makes an instance of a compiled kernel over the memory and returns its exports. */
export function startKernel<Calls>(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  imports: KernelImports = {},
): Calls {
  return new WebAssembly.Instance(module, { env: { memory, abort }, ...imports }).exports as unknown as Calls;
}

/** Compiles the kernel if this thread has not done so, and makes an instance of it. */
export function loadKernel<Calls>(file: URL, memory: WebAssembly.Memory, imports: KernelImports = {}): Calls {
  return startKernel(compileKernel(file), memory, imports);
}

function readKernel(file: URL): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') throw cause;
    const name = basename(fileURLToPath(file));
    throw new GyreError('kernel-missing', `${name} is not compiled; run npm run build:kernels`, { cause });
  }
}

/** AssemblyScript calls this when a kernel cannot continue. */
function abort(): never {
  throw new GyreError('kernel-aborted', 'a WebAssembly kernel aborted');
}
