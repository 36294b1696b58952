/** Problems that `gyre doctor` reports, and a check for files that end in a checksum. */
import { CorruptError, type Directory, damageOf } from '../../base/mod.ts';

export interface DoctorFinding {
  file: string;
  problem: string;
  /** Description of the repair; null if the problem cannot be repaired. */
  repair: string | null;
  /** Advice for the operator; used if there is no repair. */
  advice: string;
}

export interface Examined {
  holds: string;
  problems: DoctorFinding[];
}

export function repairable(file: string, problem: string, repair: string): DoctorFinding {
  return { file, problem, repair, advice: '' };
}

export function unrepairable(file: string, problem: string, advice: string): DoctorFinding {
  return { file, problem, repair: null, advice };
}

export function sealedProblem(directory: Directory, name: string): string | null {
  if (!directory.has(name)) return 'expected a file, got none';
  try {
    const file = directory.open(name);
    try {
      return damageOf(file)?.message ?? null;
    } finally {
      file.close();
    }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return error.message;
  }
}
