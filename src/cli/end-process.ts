/**
 * Ends the process with an exit code, although servers or threads may still run.
 *
 * `process.exit` can wait for ever: it joins the compiler threads of V8, and such a thread waits for the main
 * thread if it needs a garbage collection (https://github.com/nodejs/node/issues/54918). It was seen once in
 * about 100 failing commands on a busy machine. If garbage is collected before the exit, the compiler threads
 * have enough memory.
 */
export function endProcess(code: number): never {
  globalThis.gc?.();
  process.exit(code);
}
