/**
 * The postings of the job portal. A slot has one posting after the other for ever: each is open for some periods, and
 * the next one opens after a pause. Therefore a slot and a time determine the posting, and a portal needs no state.
 *
 *   |  open   |  changed  |  closed  |  open …
 *   opensAt   changesAt   closesAt   opensAt of the next posting
 *
 *   gone      the page of a closed posting is a 404, and no list has it
 *   expired   the page states from the beginning that it is valid until it closes, and stays as it is
 *   unlisted  the page stays as it is, but no list has it
 */
import type { Place } from '../../site.ts';

export const ENDINGS = ['gone', 'expired', 'unlisted'] as const;
/** The times between two postings of a slot, in periods. */
export const CYCLE_PERIODS = 6;

export interface PostingSlot {
  number: number;
  ending: (typeof ENDINGS)[number];
  cycleMs: number;
  phaseMs: number;
  openMs: number;
  title: string;
  organization: string;
  city: string;
  /** The syntax in which the page of the posting states it. */
  syntax: 'json-ld' | 'microdata';
  /**
   * The form of the copy on the second portal: with the identifier and another title, or without an identifier. Null if
   * the second portal has no copy.
   */
  copy: 'identifier' | 'text' | null;
}

export interface Posting {
  slot: PostingSlot;
  identifier: string;
  /** The pages with the posting: on the portal, and on the second portal if it has a copy. */
  places: Place[];
  opensAt: number;
  /** The time at which the salary rises. */
  changesAt: number;
  closesAt: number;
}

export const PORTAL_HOST = 'jobs-portal.test';
export const COPIES_HOST = 'jobs-copies.test';

/** Returns the newest posting of a slot that has opened, which may be closed. */
export function postingAt(slot: PostingSlot, atMs: number): Posting {
  return postingOf(slot, Math.floor((atMs - slot.phaseMs) / slot.cycleMs));
}

/** Returns the postings that are open at some time of a span. */
export function postingsBetween(
  slots: readonly PostingSlot[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Posting[] {
  return slots.flatMap((slot) => {
    const postings: Posting[] = [];
    for (let posting = postingAt(slot, fromMs); posting.opensAt <= toMs; ) {
      if (posting.closesAt > fromMs) postings.push(posting);
      posting = postingAt(slot, posting.opensAt + slot.cycleMs);
    }
    return postings;
  });
}

/** Returns the posting with an identifier; null if it has not opened yet or never opens. */
export function postingNamed(
  slots: readonly PostingSlot[],
  identifier: string,
  nowMs: number,
): Posting | null {
  const parts = /^(\d+)-(\d+)$/.exec(identifier);
  const slot = slots[Number(parts?.[1])];
  if (!parts || !slot) return null;
  const posting = postingOf(slot, Number(parts[2]));
  return posting.opensAt <= nowMs ? posting : null;
}

/** True if the page of the posting exists. */
export function isThere(posting: Posting, nowMs: number): boolean {
  return posting.slot.ending !== 'gone' || nowMs < posting.closesAt;
}

/** True if lists have the posting. An expired posting leaves the lists when the next one opens. */
export function isListedAt({ slot, closesAt, opensAt }: Posting, nowMs: number): boolean {
  return slot.ending === 'expired' ? nowMs < opensAt + slot.cycleMs : nowMs < closesAt;
}

function postingOf(slot: PostingSlot, round: number): Posting {
  const opensAt = round * slot.cycleMs + slot.phaseMs;
  const identifier = `${slot.number}-${round}`;
  const places = [{ host: PORTAL_HOST, path: `/jobs/${identifier}` }];
  if (slot.copy) places.push({ host: COPIES_HOST, path: `/offers/${identifier}` });
  return {
    ...{ slot, identifier, places, opensAt },
    changesAt: opensAt + slot.openMs / 2,
    closesAt: opensAt + slot.openMs,
  };
}
