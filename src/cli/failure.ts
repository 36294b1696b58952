/**
 * Converts an error to a message for the operator: one line with advice for known errors, otherwise the stack
 * trace.
 */
import { GyreError, messageOf, systemCode, UsageError } from '../base/mod.ts';

export interface Failure {
  code: string;
  message: string;
  /** The operator can fix it. */
  usage: boolean;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof GyreError) {
    return { code: error.code, message: error.message, usage: error instanceof UsageError };
  }
  if (systemCode(error) === 'ENOSPC' || messageOf(error).includes('disk is full')) {
    const message = 'the disk is full: free some space and start again; committed pages are safe';
    return { code: 'disk-full', message, usage: true };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', message, usage: false };
}
