/** Reads the phrases of anchor texts; see phrases-format.ts for the bytes. */
import { ByteReader, type Directory, readSealed } from '../base/mod.ts';
import { readEnds, readF32s } from './columns.ts';
import { readOrigin } from './origin.ts';
import { type PhraseTable, phrasesWithoutPages } from './phrase-table.ts';
import { PHRASES_KIND, PHRASES_NAME } from './phrases-format.ts';

/** Reads the phrases of anchor texts. Returns null if no rank run has written the file yet. */
export function openPhrases(directory: Directory): PhraseTable | null {
  if (!directory.has(PHRASES_NAME)) return null;
  const reader = new ByteReader(readSealed(directory, PHRASES_NAME, PHRASES_KIND), PHRASES_NAME);
  readOrigin(reader);
  const count = reader.u32();
  const popularity = readF32s(reader, count);
  const [keyEnds, textEnds] = [readEnds(reader, count), readEnds(reader, count)];
  const keys = reader.raw(keyEnds.at(-1) ?? 0);
  const texts = reader.raw(textEnds.at(-1) ?? 0);
  const columns = { keys: { ends: keyEnds, bytes: keys }, texts: { ends: textEnds, bytes: texts } };
  return phrasesWithoutPages(columns, popularity);
}
