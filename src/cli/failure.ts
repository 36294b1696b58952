/**
 * Converts an error to a message for the operator: one line with advice for known errors, otherwise the stack
 * trace.
 */
import { GyreError, isDiskFull, UsageError } from '../base/mod.ts';

interface Failure {
  message: string;
  /**
   * 1 for an unexpected error, 2 if the operator can correct it, for example by another setting. A node also ends with
   * 3 if a service refuses it, with 4 if it does not fit to the cluster, and with 5 if the cluster has removed it
   * (SERVICE_CODES).
   */
  exitCode: number;
}

/** Exit codes for errors of services that waiting does not fix. */
const SERVICE_CODES: ReadonlyMap<string, number> = new Map([
  ['service-refused', 3],
  ['no-database', 3],
  ['no-cluster', 3],
  ['services-missing', 3],
  ['no-bucket', 3],
  ['bucket-read-only', 3],
  ['no-virtual-host', 3],
  ['queue-differs', 3],
  ['schema-version', 4],
  ['cluster-differs', 4],
  ['migration-unfinished', 4],
  ['member-removed', 5],
]);

export function failureOf(error: unknown): Failure {
  if (isDiskFull(error)) {
    return {
      message: 'the disk is full: free some space and start again; committed pages are safe',
      exitCode: 2,
    };
  }
  // A thread reports each of its errors as a GyreError with the code of the original error, such as `EACCES`. An
  // error without a code gets the code `internal`: it is a bug, so its stack trace is shown.
  if (error instanceof GyreError && error.code !== 'internal') {
    const needsAdvice = error.code === 'corrupt-file' && error.advice === '';
    const advice = needsAdvice ? '; run gyre doctor' : '';
    const exitCode = SERVICE_CODES.get(error.code) ?? (error instanceof UsageError ? 2 : 1);
    return { message: error.message + advice, exitCode };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message, exitCode: 1 };
}
