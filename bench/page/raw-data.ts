/** The raw data of docs/benchmarks.md: one JSON file for each run of a benchmark, in docs/benchmarks/. */
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { BenchRow } from '../report.ts';
import type { Bar } from '../serve/bars.ts';

export const RAW_DATA = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks');

export interface Machine {
  cpu: string;
  cores: number;
  memoryGB: number;
  system: string;
  node: string;
  /**
   * The load average of the machine in the minute before the run, which shows whether other programs were
   * running.
   */
  loadBefore: number;
}

/** The JSON object that a benchmark prints as its last line with `--json`. */
export interface Output {
  rows: BenchRow[];
  ratios: Record<string, number>;
  /** The rows by kind of query; only bench:serve has them. */
  kinds?: BenchRow[];
  bars?: Bar[];
}

export interface RawRun {
  /** The command of the benchmark, with placeholders for paths. */
  command: string;
  /** The day of the run, as YYYY-MM-DD. */
  measuredOn: string;
  /** The duration of the run in seconds. */
  seconds: number;
  machine: Machine;
  output: Output;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 1e9),
    system: `${type()} ${arch()}`,
    node: process.version,
    loadBefore: Math.round(loadavg()[0]! * 10) / 10,
  };
}

/** Reads the raw data of a benchmark. Returns null if the benchmark has not been run. */
export function readRun(name: string): RawRun | null {
  const file = join(RAW_DATA, `${name}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RawRun) : null;
}
