/**
 * Identifies the index from which a lexicon file was built. If the index has changed since, the file must be
 * built again.
 */
import type { ByteReader } from '../base/mod.ts';

export interface Origin {
  /** The generation of the manifest from which the file was built. */
  generation: number;
  /** The number of documents in the index from which the file was built. */
  docs: number;
}

export function readOrigin(reader: ByteReader): Origin {
  return { generation: reader.u32(), docs: reader.u32() };
}
