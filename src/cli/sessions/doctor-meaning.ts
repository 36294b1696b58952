/** The checks of `gyre doctor` for search by meaning: the model, and the files in `meaning/`. */
import { type Directory, messageOf, UsageError } from '../../base/mod.ts';
import { checkModel } from '../../meaning/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { counted } from '../output.ts';
import type { Config } from '../settings/mod.ts';
import {
  type DoctorFinding,
  type Examined,
  repairable,
  sealedProblem,
  unrepairable,
} from './doctor-findings.ts';
import { isProgressDamaged, PROGRESS_FILE } from './embedding-progress.ts';
import { INSTALL_ADVICE, modelDirectory } from './model.ts';

const REMOVE = 'removes it; it is made again';

/** Checks the model and the files in `meaning/`. Returns null if search by meaning is off and was never used. */
export function examineMeaning(data: DataDirectory, config: Config): Examined | null {
  const files = meaningFiles(data);
  const problems = files.flatMap((file) => {
    const problem = problemOf(data.meaning, file);
    return problem === null ? [] : [repairable(`meaning/${file}`, problem, REMOVE)];
  });
  const directory = modelDirectory(config);
  if (directory !== null)
    return { holds: describeFiles(files), problems: [...problems, ...modelProblems(directory)] };
  if (config.meaning.model === '')
    return {
      holds: `no model is installed, so pages are found by their words only: ${INSTALL_ADVICE}`,
      problems,
    };
  return files.length === 0 ? null : { holds: describeFiles(files), problems };
}

/** Removes damaged files from `meaning/`. */
export function repairMeaning({ meaning }: DataDirectory, problems: readonly DoctorFinding[]): void {
  for (const { file, repair } of problems)
    if (repair === REMOVE) meaning.remove(file.replace('meaning/', ''));
}

function meaningFiles({ root, meaning }: DataDirectory): string[] {
  return root.has('meaning') ? meaning.list().filter((name) => !name.endsWith('.part')) : [];
}

function describeFiles(files: readonly string[]): string {
  return files.length === 0 ? 'a model, not used yet' : counted(files.length, 'file');
}

function problemOf(meaning: Directory, file: string): string | null {
  if (file !== PROGRESS_FILE) return sealedProblem(meaning, file);
  return isProgressDamaged(meaning) ? 'expected a checksum, got another' : null;
}

function modelProblems(directory: string): DoctorFinding[] {
  try {
    checkModel(directory);
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [unrepairable(directory, messageOf(error), '')];
  }
}
