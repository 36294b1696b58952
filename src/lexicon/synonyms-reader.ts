/** Reads mined synonyms; see synonyms-format.ts for the bytes. */
import { ByteReader, type Directory, readSealed } from '../base/mod.ts';
import { readOrigin } from './origin.ts';
import { SYNONYMS_KIND, SYNONYMS_NAME, type SynonymPair } from './synonyms-format.ts';

/** Reads the synonyms. Returns an empty list if no rank run has written the file yet. */
export function readSynonyms(directory: Directory): SynonymPair[] {
  if (!directory.has(SYNONYMS_NAME)) return [];
  const reader = new ByteReader(readSealed(directory, SYNONYMS_NAME, SYNONYMS_KIND), SYNONYMS_NAME);
  readOrigin(reader);
  return Array.from({ length: reader.u32() }, () => {
    const [first, second] = [reader.text(), reader.text()];
    return { first, second, weight: reader.f32() };
  });
}
