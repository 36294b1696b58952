/**
 * Ends the process with an exit code, although servers or threads may still run.
 *
 * `process.exit` can wait forever: it joins the compiler threads of V8, and a compiler thread that needs a garbage
 * collection waits for the main thread (https://github.com/nodejs/node/issues/54918). It was seen in about one of 100
 * failing commands on a busy machine, also if garbage was collected before the exit. So the process becomes a shell that
 * ends with the code: the system ends all other threads at that moment, and nothing waits for them. Without a shell,
 * `process.exit` has to do. No event `exit` is emitted.
 */
import { existsSync } from 'node:fs';

const SHELL = '/bin/sh';

export function endProcess(code: number): never {
  if (process.execve && existsSync(SHELL)) process.execve(SHELL, [SHELL, '-c', `exit ${code}`], {});
  process.exit(code);
}
