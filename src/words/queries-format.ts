/**
 * `words/queries.gyre`: how often queries were asked that had results, if the operator wants them kept
 * (`suggest.queries`). Sealed (magic GYQ1), body:
 *
 *   count    varint
 *   queries  per query: how often varint, text
 *
 * Texts are folded as keys of phrases are. Nothing else is kept: not who asked, nor when, nor what was chosen. Deleting
 * the file while no server runs forgets everything.
 */
import type { FileKind } from '../base/mod.ts';

export const QUERIES_NAME = 'queries.gyre';
export const QUERIES_KIND: FileKind = { magic: 'GYQ1', version: 1 };
