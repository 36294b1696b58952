/**
 * Decides when a fetched URL is visited again: from the changes found by its visits, from pages of the same site, and
 * from hints that have proved right, so that a limited number of visits keeps as much of the collection fresh as
 * possible.
 */

export { parseRevisitPolicy, type RevisitedKind } from './revisit-policies.ts';
export { type RevisitOptions, RevisitSchedule, type VisitFindings } from './revisit-schedule.ts';
