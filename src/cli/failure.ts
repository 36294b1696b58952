/**
 * Converts an error to a message for the operator: one line with advice for known errors, otherwise the stack
 * trace.
 */
import { GyreError, messageOf, systemCode, UsageError } from '../base/mod.ts';

interface Failure {
  message: string;
  /** True if the operator can correct the error, for example by another setting. */
  usage: boolean;
}

export function failureOf(error: unknown): Failure {
  if (systemCode(error) === 'ENOSPC' || messageOf(error).includes('disk is full')) {
    return {
      message: 'the disk is full: free some space and start again; committed pages are safe',
      usage: true,
    };
  }
  // A thread reports each of its errors as a GyreError with the code of the original error, such as `EACCES`. An
  // error without a code gets the code `internal`: it is a bug, so its stack trace is shown.
  if (error instanceof GyreError && error.code !== 'internal') {
    const needsAdvice = error.code === 'corrupt-file' && !/\bgyre [a-z]/.test(error.message);
    const advice = needsAdvice ? '; run gyre doctor' : '';
    return { message: error.message + advice, usage: error instanceof UsageError };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message, usage: false };
}
