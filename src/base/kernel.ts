/**
 * Loads WebAssembly kernels.
 *
 * A kernel is compiled once per thread, when it is first needed. Every further load only creates an instance
 * that uses the given memory. The caller declares the type of the exports, which is not checked.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GyreError, systemCode } from './errors.ts';

/** The functions that a kernel imports, by module and name. */
type KernelImports = Record<string, Record<string, unknown>>;

const compiled = new Map<string, WebAssembly.Module>();

export function compileKernel(file: URL): WebAssembly.Module {
  const known = compiled.get(file.href);
  if (known) return known;
  const module = new WebAssembly.Module(readKernel(file));
  compiled.set(file.href, module);
  return module;
}

/** Creates an instance of a compiled kernel that uses the given memory, and returns its exports. */
export function startKernel<Calls>(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  imports: KernelImports = {},
): Calls {
  return new WebAssembly.Instance(module, { env: { memory, abort }, ...imports }).exports as unknown as Calls;
}

/** Compiles a kernel if this thread has not done so yet, and creates an instance of it. */
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

/** Throws an error. AssemblyScript calls this function when a kernel cannot continue. */
function abort(): never {
  throw new GyreError('kernel-aborted', 'a WebAssembly kernel aborted');
}
