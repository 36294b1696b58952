/**
 * The errors of Gyre. Each has a stable `code`, and its class says how to handle it:
 *
 *   UsageError     the operator can fix it: a wrong option, a port in use, an unwritable directory
 *   CorruptError   a file has unexpected contents and must be rebuilt or removed
 *
 * Outcomes that the web produces daily (a timeout, a 404) are values, not errors.
 */
export class GyreError extends Error {
  readonly code: string;
  /** The end of the message, if it says what the operator can do; otherwise empty. */
  readonly advice: string;

  constructor(code: string, message: string, options: ErrorOptions & { advice?: string } = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.advice = options.advice ?? '';
  }
}

/**
 * An error that the operator can fix. Its message is one line with advice, which the CLI prints without a
 * stack trace.
 */
export class UsageError extends GyreError {}

export class CorruptError extends GyreError {
  readonly file: string;

  constructor(file: string, offset: number, expected: string, got: string, advice = '') {
    const what = `${file} at byte ${offset}: expected ${expected}, got ${got}`;
    super('corrupt-file', advice === '' ? what : `${what}; ${advice}`, { advice });
    this.file = file;
  }
}

/** Returns the `code` of a Node.js system error such as `ENOENT`; otherwise the empty string. */
export function systemCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

const SQLITE_FULL = 13;

/** Returns true if the error, or an error that caused it, says that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (systemCode(error) === 'ENOSPC') return true;
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && error.errcode === SQLITE_FULL) return true;
  return error.cause !== undefined && isDiskFull(error.cause);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export interface FileProblem {
  file: string;
  problem: string;
}
