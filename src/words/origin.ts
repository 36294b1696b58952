/** Which index a file of words was made from: enough to tell whether it is worth making anew. */
import type { ByteReader } from '../base/mod.ts';

export interface Origin {
  /** Of the manifest. */
  generation: number;
  /** Documents in it. */
  docs: number;
}

export function readOrigin(reader: ByteReader): Origin {
  return { generation: reader.u32(), docs: reader.u32() };
}
