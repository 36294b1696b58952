/**
 * How far the computation of page vectors is, for `gyre status`: `meaning/progress.json`, sealed as described in
 * base/files/sealed-json.ts. The process that computes vectors replaces it every few seconds.
 */
import { CorruptError, type Directory, parseSealedJson, sealJson } from '../../base/mod.ts';
import { counted } from '../output.ts';

export interface EmbeddingProgress {
  embedded: number;
  /** Documents that get no vector: feeds, and documents in languages that the model does not know. */
  unsuitable: number;
  missing: number;
  /** The time for one page, of all threads together, at full speed; 0 before the first page. */
  msPerPage: number;
  /** The percentage of this time during which the threads work. */
  pace: number;
  savedAtMs: number;
}

export const PROGRESS_FILE = 'progress.json';
const KEYS = ['embedded', 'unsuitable', 'missing', 'msPerPage', 'pace', 'savedAtMs'];
const SAVE_EVERY_MS = 2000;
/** The computation has ended or was killed if its progress is older than this. */
const FRESH_MS = 60_000;

/** Saves progress, at most every SAVE_EVERY_MS, and once when no page is left. Ignores errors, such as a directory that is not writable. */
export class ProgressSaver {
  readonly #directory: Directory;
  #savedAtMs = 0;
  #missing = -1;

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  offer(progress: Omit<EmbeddingProgress, 'savedAtMs'>): void {
    const savedAtMs = Date.now();
    const { missing } = progress;
    if (missing === 0 ? this.#missing === 0 : savedAtMs - this.#savedAtMs < SAVE_EVERY_MS) return;
    this.#savedAtMs = savedAtMs;
    this.#missing = missing;
    try {
      this.#directory.replace(PROGRESS_FILE, sealJson({ ...progress, savedAtMs }));
    } catch {
      // Only the report of `gyre status` depends on the file.
    }
  }
}

/** Returns null if nothing was saved, or the file is damaged: it is written again soon. */
export function readProgress(directory: Directory): EmbeddingProgress | null {
  return directory.has(PROGRESS_FILE) ? parse(directory) : null;
}

export function isProgressDamaged(directory: Directory): boolean {
  return parse(directory) === null;
}

function parse(directory: Directory): EmbeddingProgress | null {
  try {
    const options = { file: PROGRESS_FILE, keys: KEYS, advice: '' };
    const saved = parseSealedJson(directory.read(PROGRESS_FILE), options) as Partial<EmbeddingProgress>;
    const isWhole = KEYS.every((key) => Number.isFinite(saved[key as keyof EmbeddingProgress]));
    return isWhole ? (saved as EmbeddingProgress) : null;
  } catch (error) {
    if (error instanceof CorruptError) return null;
    throw error;
  }
}

/** Says how many pages are left and how long they take; `command` computes their vectors at once. */
export function describeProgress(progress: EmbeddingProgress, nowMs: number, command: string): string {
  const { missing, pace, savedAtMs } = progress;
  if (missing === 0) return 'no page is left';
  if (nowMs - savedAtMs > FRESH_MS) return `${counted(missing, 'page')} left; ${command} continues`;
  return `${describeRest(progress)} at ${pace} % of a processor (meaning.cpuShare)`;
}

/** Says how many pages are left and how long they take. */
export function describeRest({ missing, msPerPage, pace }: Omit<EmbeddingProgress, 'savedAtMs'>): string {
  if (msPerPage === 0) return `${counted(missing, 'page')} left`;
  const minutes = Math.ceil((missing * msPerPage * (100 / Math.max(1, pace))) / 60_000);
  return `${counted(missing, 'page')} left, about ${counted(minutes, 'minute')}`;
}
