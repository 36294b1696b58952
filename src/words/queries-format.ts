/**
 * `words/queries.gyre`: how often queries were asked that had results, if the operator wants them kept
 * (`suggest.queries`). Sealed (magic GYQ1), body:
 *
 *   count    varint
 *   queries  per query: how often varint, text
 *
 * Texts are folded as keys of phrases are. Nothing else is kept: not who asked, nor when, nor what was chosen. Deleting
 * the file while no server runs forgets everything.
 *
 * If `event loop` was asked 300 times, the file is
 *
 *   47 59 51 31  01 00 00 00  01  AC 02  0A 65 76 65 6E 74 20 6C 6F 6F 70  19 8C 15 83
 */
import type { FileKind } from '../base/mod.ts';

export const QUERIES_NAME = 'queries.gyre';
export const QUERIES_KIND: FileKind = { magic: 'GYQ1', version: 1 };
