/**
 * The error for a segment that proves to be damaged during a query. The caller drops the segment and retries.
 */
import { CorruptError, GyreError } from '../base/mod.ts';
import type { OpenSegment } from '../index/mod.ts';

export class DamagedSegmentError extends GyreError {
  readonly segment: OpenSegment;

  constructor(segment: OpenSegment, cause: CorruptError) {
    super('damaged-segment', cause.message, { cause });
    this.segment = segment;
  }
}

/**
 * Runs `read`, which must read from `segment` only, and turns its CorruptError into a DamagedSegmentError.
 */
export function reading<T>(segment: OpenSegment, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptError) throw new DamagedSegmentError(segment, error);
    throw error;
  }
}
