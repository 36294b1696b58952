/** Measures the attacked program through the operating system, and stops it. */
import { readFileSync } from 'node:fs';
import { sleep } from '../../src/base/mod.ts';
import type { Gyre } from '../helpers/gyre.ts';

const PATIENCE_MS = 30_000;

/** Returns the peak memory of the program so far in MB; null on systems without `/proc`. */
export function peakMegabytes({ child }: Gyre): number | null {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return null;
  }
}

export function isRunning({ child }: Gyre): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Sends SIGINT and returns the seconds until the program has ended; infinite if it had to be killed. */
export async function interrupt(program: Gyre): Promise<number> {
  const startedAt = performance.now();
  const ended = program.kill('SIGINT').then(() => true);
  const waiting = new AbortController();
  const isOver = await Promise.race([ended, sleep(PATIENCE_MS, waiting.signal).then(() => false)]);
  waiting.abort();
  if (isOver) return (performance.now() - startedAt) / 1000;
  await program.kill('SIGKILL');
  return Number.POSITIVE_INFINITY;
}
