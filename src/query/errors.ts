/**
 * The error for a segment that proves to be damaged during a query. The caller leaves the segment out and runs the
 * query again.
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
 * Runs `read`, which must read from `segment` only. Replaces its CorruptError by a DamagedSegmentError that names
 * the segment.
 */
export function reading<T>(segment: OpenSegment, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptError) throw new DamagedSegmentError(segment, error);
    throw error;
  }
}
