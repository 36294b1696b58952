/** Writes mined synonyms; see synonyms-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../base/mod.ts';
import type { Origin } from './origin.ts';
import { SYNONYMS_KIND, SYNONYMS_NAME, type SynonymPair } from './synonyms-format.ts';

export function writeSynonyms(directory: Directory, origin: Origin, pairs: readonly SynonymPair[]): void {
  const body = new ByteWriter();
  body.u32(origin.generation);
  body.u32(origin.docs);
  body.u32(pairs.length);
  for (const { first, second, weight } of pairs) {
    body.text(first);
    body.text(second);
    body.f32(weight);
  }
  writeSealed(directory, SYNONYMS_NAME, SYNONYMS_KIND, body.view());
}
