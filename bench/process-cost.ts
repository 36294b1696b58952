/**
 * Measures the cost of processes in seconds, CPU-seconds and memory. A process is either a program that runs to
 * its end or a server. Reads /proc.
 */
import { spawn } from 'node:child_process';
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
  let usage: Usage = { cpuSeconds: 0, rssMB: 0, peakRssMB: 0 };
  const timer = setInterval(() => {
    const now = usageOf(child.pid!);
    // For a process that has just ended, `/proc` has no memory, so the last known value is kept.
    if (now) usage = { ...now, peakRssMB: Math.max(now.peakRssMB, usage.peakRssMB) };
  }, SAMPLE_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  const { cpuSeconds, peakRssMB } = usage;
  return { cpuSeconds, peakRssMB, seconds: (performance.now() - startedAt) / 1000, stdout, code };
}

/** The resources that a process has used so far, with all its threads. */
export interface Usage {
  cpuSeconds: number;
  rssMB: number;
  peakRssMB: number;
}

/** Returns the resources that a process has used so far; null if the process has ended. */
export function usageOf(pid: number): Usage | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return { cpuSeconds, rssMB: megabytes('VmRSS'), peakRssMB: megabytes('VmHWM') };
  } catch {
    return null;
  }
}
