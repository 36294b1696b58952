/** The traps of a host outlive the process: what a detector learned is a note of the host. */
import type { Clock } from '../base/mod.ts';
import type { Findings } from './findings.ts';
import { TrapDetectors, type TrapMemory } from './traps/mod.ts';

export function openTraps(clock: Clock, findings: Findings): TrapDetectors {
  return new TrapDetectors(clock, (origin) => {
    const note = findings.note(origin, 'traps');
    return note && readTraps(note.value);
  });
}

export function readTraps(value: string): TrapMemory {
  return JSON.parse(value) as TrapMemory;
}

/** Keeps what was learned since the last time for the next commit. */
export function saveTraps(traps: TrapDetectors, findings: Findings, now: number): void {
  for (const [origin, memory] of traps.takeChanged()) {
    findings.keepNote({ origin, kind: 'traps', value: JSON.stringify(memory), notedAt: now });
  }
}
