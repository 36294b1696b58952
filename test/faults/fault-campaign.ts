/**
 * Runs a workload on a disk that fails, once for each operation and fault, and checks after a restart that no
 * promise is broken.
 *
 * Two ways to fail:
 * - The process is killed or the power fails before operation n. One run gives the images of all n, because an
 *   image is a copy of the files. Each image is then restarted.
 * - Operation n returns an error to the process. This needs one run for each n.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, Random } from '../../src/base/mod.ts';
import { LOSSES } from './disk-model.ts';
import { type Fault, FaultDisk } from './fault-disk.ts';

export interface Workload {
  name: string;
  /** Writes the files that exist before the run. */
  prepare(path: string): Promise<void> | void;
  run(path: string): Promise<void>;
  /** Restarts on the files that are left. Returns a sentence for each broken promise. */
  broken(path: string): Promise<string[]>;
}

export interface FaultReport {
  workload: string;
  /** Number of changes and syncs in a run without faults. */
  operations: number;
  /** Number of kills and power failures from which the workload was restarted. */
  images: number;
  /** Number of operations that returned an error. */
  errors: number;
  /** A sentence for each violated promise; empty if there are none. */
  broken: string[];
}

export interface CampaignOptions {
  seed: number;
  /** The probability that an operation is tested with a kind of loss or fault. */
  share: number;
  say?(line: string): void;
}

const FAULTS: readonly Fault[] = ['EIO', 'ENOSPC', 'short'];

export async function faultCampaign(
  workload: Workload,
  { seed, share, say }: CampaignOptions,
): Promise<FaultReport> {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-faults-'));
  const random = new Random(seed);
  const report: FaultReport = { workload: workload.name, operations: 0, images: 0, errors: 0, broken: [] };
  const before = join(directory, 'before');
  const check = async (path: string, what: string) => {
    const broken = await workload.broken(path).catch((error) => [`the restart failed: ${messageOf(error)}`]);
    for (const each of broken) {
      report.broken.push(`${workload.name}, ${what}: ${each}`);
      say?.(report.broken.at(-1)!);
    }
    rmSync(path, { recursive: true, force: true });
  };
  try {
    cpSync(mkdtempSync(join(directory, 'empty-')), before, { recursive: true });
    await workload.prepare(before);
    const images: { path: string; what: string }[] = [];
    await runOn(workload, before, join(directory, 'run'), (disk) => ({
      before: (operation, name) => {
        for (const loss of LOSSES) {
          if (!random.chance(share)) continue;
          const path = join(directory, `image-${operation}-${loss}`);
          disk().model.writeImage(path, loss, random);
          images.push({ path, what: `${loss} before operation ${operation} (${name})` });
        }
        report.operations = operation;
      },
    }));
    for (const { path, what } of images) await check(path, what);
    report.images = images.length;
    for (let at = 1; at <= report.operations; at++) {
      for (const kind of FAULTS) {
        if (!random.chance(share)) continue;
        const path = join(directory, `error-${at}-${kind}`);
        report.errors += await runOn(workload, before, path, () => ({ fault: { kind, at } }));
        await check(path, `${kind} at operation ${at}`);
      }
    }
    return report;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs the workload on a copy of `before`. Returns the number of injected errors. */
async function runOn(
  workload: Workload,
  before: string,
  path: string,
  optionsOf: (disk: () => FaultDisk) => ConstructorParameters<typeof FaultDisk>[1],
): Promise<number> {
  cpSync(before, path, { recursive: true });
  const disk: FaultDisk = new FaultDisk(
    path,
    optionsOf(() => disk),
  );
  try {
    await workload.run(path);
  } catch (error) {
    if (disk.injected === 0) throw error;
  } finally {
    disk.close();
  }
  return disk.injected;
}
