/**
 * `words/queries.gyre`: how often each query with results was asked, for suggestions. It is written only if the
 * operator turns on `suggest.queries`. Sealed (magic GYQ1), body:
 *
 *   count    varint
 *   queries  per query: how often varint, text
 *
 * Texts are folded like the keys of phrases. Nothing else is stored: no visitor, no time, no chosen result. To
 * delete all counts, delete the file while no server runs.
 *
 * If `event loop` was asked 300 times, the file is
 *
 *   47 59 51 31  01 00 00 00  01  AC 02  0A 65 76 65 6E 74 20 6C 6F 6F 70  19 8C 15 83
 */
import type { FileKind } from '../base/mod.ts';

export const QUERIES_NAME = 'queries.gyre';
export const QUERIES_KIND: FileKind = { magic: 'GYQ1', version: 1 };
