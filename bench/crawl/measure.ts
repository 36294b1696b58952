/** Runs a program to its end and measures its cost: seconds, CPU-seconds, peak memory. Reads /proc. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const SAMPLE_MS = 50;
const TICKS_PER_SECOND = 100;

export interface Cost {
  seconds: number;
  cpuSeconds: number;
  peakRssMB: number;
  stdout: string;
  code: number | null;
}

export async function measure(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Cost> {
  const startedAt = performance.now();
  const env = { ...process.env, ...options.env };
  const child = spawn(command, args, { env, cwd: options.cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const cost = { cpuSeconds: 0, peakRssMB: 0 };
  const timer = setInterval(() => sample(child, cost), SAMPLE_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  return { ...cost, seconds: (performance.now() - startedAt) / 1000, stdout, code };
}

function sample(child: ChildProcess, cost: { cpuSeconds: number; peakRssMB: number }): void {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    cost.peakRssMB = Math.max(cost.peakRssMB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    cost.cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    // The process has just ended, so the last sample is kept.
  }
}
