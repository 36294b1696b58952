/** Renders numbers and times on the admin pages. */

/** Returns a day and time in UTC, such as `2026-01-02 03:04`. */
export function day(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
