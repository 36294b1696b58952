/**
 * `meaning/model.gyre`: a cache of the weights of the embedding model, packed to 8 bits for the kernel. Packing
 * takes two seconds, reading this file a tenth of a second. Sealed (magic GYE1), body:
 *
 *   modelId   32 bytes       ASCII: the hash of the model's files (`hashModel`)
 *   weights   i8, f32 …      the contents of memory from WEIGHTS_AT, in the order of `model-layout.ts`
 *
 * The sizes of the parts follow from the `config.json` of the model. A file that is damaged, of another version
 * or of another model is written again. After a change of `pack-weights.ts`, `calibrate.ts` or `projection.ts`,
 * increase VECTOR_FORMAT in `load-model.ts`, which is part of the hash, so that old files are not used.
 */
import {
  CorruptError,
  checkSealed,
  type Directory,
  type FileKind,
  SEAL_FOOTER_BYTES,
  SEAL_HEADER_BYTES,
  writeSealed,
} from '../base/mod.ts';
import { WEIGHTS_AT } from './model-layout.ts';

const NAME = 'model.gyre';
const KIND: FileKind = { magic: 'GYE1', version: 1 };
const ID_BYTES = 32;
const PIECE_BYTES = 1024 * 1024;

/** Writes the packed weights to the cache file. They end at the address `end`. */
export function writePackedModel(
  directory: Directory,
  modelId: string,
  memory: WebAssembly.Memory,
  end: number,
): void {
  const weights = new Uint8Array(memory.buffer, WEIGHTS_AT, end - WEIGHTS_AT);
  writeSealed(directory, NAME, KIND, Buffer.concat([Buffer.from(modelId, 'latin1'), weights]));
}

/**
 * Reads the packed weights from the cache file into memory, up to the address `end`. Returns false if there is
 * no intact file for this model.
 */
export function readPackedModel(
  directory: Directory,
  modelId: string,
  memory: WebAssembly.Memory,
  end: number,
): boolean {
  if (!directory.has(NAME)) return false;
  const file = directory.open(NAME);
  try {
    const start = SEAL_HEADER_BYTES + ID_BYTES;
    if (file.size !== start + end - WEIGHTS_AT + SEAL_FOOTER_BYTES) return false;
    if (file.read(SEAL_HEADER_BYTES, ID_BYTES).toString('latin1') !== modelId) return false;
    checkSealed(file, KIND);
    const bytes = new Uint8Array(memory.buffer);
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = WEIGHTS_AT; at < end; at += PIECE_BYTES) {
      bytes.set(file.read(start + at - WEIGHTS_AT, Math.min(PIECE_BYTES, end - at), piece), at);
    }
    return true;
  } catch (error) {
    if (error instanceof CorruptError) return false;
    throw error;
  } finally {
    file.close();
  }
}
