/**
 * Preloaded into the program by tests: kills the process with SIGKILL before the change number KILL_AT to the names of
 * files. Without a number, it prints the number of changes when the process ends.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const killAt = Number(process.env.KILL_AT ?? 0);
let changes = 0;

function counted(change) {
  return (...args) => {
    changes++;
    if (changes === killAt) process.kill(process.pid, 'SIGKILL');
    return change(...args);
  };
}

if (isMainThread) {
  for (const name of ['renameSync', 'unlinkSync', 'rmSync', 'appendFileSync']) fs[name] = counted(fs[name]);
  syncBuiltinESMExports();
  if (killAt === 0) process.on('exit', () => process.stderr.write(`changes: ${changes}\n`));
}
