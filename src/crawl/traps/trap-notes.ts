/** Stores the conclusions of trap detectors as host notes in the state, so that they survive a restart. */
import type { Clock } from '../../base/mod.ts';
import type { PendingState } from '../state/mod.ts';
import type { TrapMemory } from './trap-detector.ts';
import { TrapDetectors } from './trap-detectors.ts';

export function openTraps(clock: Clock, findings: PendingState): TrapDetectors {
  return new TrapDetectors(clock, async (origins) => {
    const notes = await findings.notesOf(origins, 'traps');
    return new Map(notes.map(({ origin, value }) => [origin, readTraps(value)]));
  });
}

export function readTraps(value: string): TrapMemory {
  return JSON.parse(value) as TrapMemory;
}

/** Adds conclusions that changed since the last call to the next commit. */
export function saveTraps(traps: TrapDetectors, findings: PendingState, now: number): void {
  for (const [origin, memory] of traps.takeChanged()) {
    findings.keepNote({ origin, kind: 'traps', value: JSON.stringify(memory), notedAt: now });
  }
}
