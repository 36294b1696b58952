/**
 * Progress of the computation of page vectors, for `gyre status`: the file `meaning/progress.json`, sealed as
 * described in base/files/sealed-json.ts. The process that computes vectors replaces it every few seconds.
 */
import { CorruptError, type Directory, parseSealedJson, sealJson } from '../../base/mod.ts';
import { counted } from '../output.ts';

export interface EmbeddingProgress {
  embedded: number;
  /** Number of documents that get no vector: feeds, and documents in languages that the model does not know. */
  unsuitable: number;
  missing: number;
  /**
   * Time in milliseconds to embed one page with all threads together, if they work without pauses; 0 before the
   * first page.
   */
  msPerPage: number;
  /** Percentage of the time during which the threads work; they pause for the rest. */
  pace: number;
  savedAtMs: number;
}

export const PROGRESS_FILE = 'progress.json';
const KEYS = ['embedded', 'unsuitable', 'missing', 'msPerPage', 'pace', 'savedAtMs'];
const SAVE_EVERY_MS = 2000;
/**
 * The age in milliseconds from which saved progress is ignored, because the computation has ended or was
 * killed.
 */
const FRESH_MS = 60_000;

/**
 * Saves the progress of the computation, at most every SAVE_EVERY_MS, and once when no page is left. Ignores errors,
 * such as a directory that is not writable.
 */
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
      // The error is ignored, because only the report of `gyre status` depends on the file.
    }
  }
}

/**
 * Reads the saved progress. Returns null if there is none or if the file is damaged; a running computation
 * writes the file again soon.
 */
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

/**
 * Describes how many pages have no vector yet and how long they take. `command` is the command that computes them at
 * once.
 */
export function describeProgress(progress: EmbeddingProgress, nowMs: number, command: string): string {
  const { missing, pace, savedAtMs } = progress;
  if (missing === 0) return 'no page is left';
  if (nowMs - savedAtMs > FRESH_MS) return `${counted(missing, 'page')} left; ${command} continues`;
  return `${describeRest(progress)} at ${pace} % of a processor (meaning.cpuShare)`;
}

/** Describes how many pages have no vector yet and how long they take. */
export function describeRest({ missing, msPerPage, pace }: Omit<EmbeddingProgress, 'savedAtMs'>): string {
  if (msPerPage === 0) return `${counted(missing, 'page')} left`;
  const minutes = Math.ceil((missing * msPerPage * (100 / Math.max(1, pace))) / 60_000);
  return `${counted(missing, 'page')} left, about ${counted(minutes, 'minute')}`;
}
