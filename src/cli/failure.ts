/**
 * Converts an error to a message for the operator: one line with advice for known errors, otherwise the stack
 * trace.
 */
import { GyreError, messageOf, systemCode, UsageError } from '../base/mod.ts';

interface Failure {
  message: string;
  /** The operator can fix it. */
  usage: boolean;
}

export function failureOf(error: unknown): Failure {
  if (systemCode(error) === 'ENOSPC' || messageOf(error).includes('disk is full')) {
    return {
      message: 'the disk is full: free some space and start again; committed pages are safe',
      usage: true,
    };
  }
  // An error in a thread that was not a GyreError has the code of the system, or `internal`.
  if (error instanceof GyreError && error.code !== 'internal') {
    const needsAdvice = error.code === 'corrupt-file' && !/\bgyre [a-z]/.test(error.message);
    const advice = needsAdvice ? '; run gyre doctor' : '';
    return { message: error.message + advice, usage: error instanceof UsageError };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message, usage: false };
}
