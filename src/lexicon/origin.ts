/** Identifies the index from which a lexicon file was built, to decide if the file must be rebuilt. */
import type { ByteReader } from '../base/mod.ts';

export interface Origin {
  /** The generation of the manifest. */
  generation: number;
  /** The number of documents in the index. */
  docs: number;
}

export function readOrigin(reader: ByteReader): Origin {
  return { generation: reader.u32(), docs: reader.u32() };
}
