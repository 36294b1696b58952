/** A segment turned out to be damaged while a query read it: leave it out and ask again. */
import { CorruptError, GyreError } from '../base/mod.ts';
import type { OpenSegment } from '../index/mod.ts';

export class DamagedSegmentError extends GyreError {
  readonly segment: OpenSegment;

  constructor(segment: OpenSegment, cause: CorruptError) {
    super('damaged-segment', cause.message, { cause });
    this.segment = segment;
  }
}

/** Runs `read`, which reads nothing but `segment`. */
export function reading<T>(segment: OpenSegment, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptError) throw new DamagedSegmentError(segment, error);
    throw error;
  }
}
