/** Reads the header of the lexicon files that a rank run writes, to detect that a file was replaced. */
import { ByteReader, checkSealHeader, type Directory, SEAL_HEADER_BYTES } from '../base/mod.ts';
import { type Origin, readOrigin } from './origin.ts';
import { PHRASES_KIND, PHRASES_NAME } from './phrases-format.ts';
import { SYNONYMS_KIND, SYNONYMS_NAME } from './synonyms-format.ts';

const FILES = {
  phrases: { name: PHRASES_NAME, kind: PHRASES_KIND },
  synonyms: { name: SYNONYMS_NAME, kind: SYNONYMS_KIND },
} as const;

export type WordsFile = keyof typeof FILES;

const ORIGIN_BYTES = 8;

/**
 * Reads the header of a lexicon file, which identifies the index it was built from. Returns null if the file
 * does not exist.
 */
export function readOriginOf(directory: Directory, file: WordsFile): Origin | null {
  const { name, kind } = FILES[file];
  if (!directory.has(name)) return null;
  const opened = directory.open(name);
  try {
    const bytes = opened.read(0, SEAL_HEADER_BYTES + ORIGIN_BYTES);
    checkSealHeader(bytes, kind, name);
    return readOrigin(new ByteReader(bytes, name, SEAL_HEADER_BYTES));
  } finally {
    opened.close();
  }
}
