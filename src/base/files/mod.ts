/**
 * Files: directories with atomic replacement, stores of immutable files (blobs), locks between processes,
 * sealed binary and JSON files with checksums, and lines of any length. Everything is synchronous except
 * blobs and reading lines.
 */

export { type BlobStore, checkBlobName } from './blob-store.ts';
export {
  type AppendFile,
  type Directory,
  directoryAt,
  openDirectory,
  partOf,
  type RandomFile,
} from './directory.ts';
export { acquireLock, type FileLock, isLocked } from './file-lock.ts';
export { type Line, readLines } from './lines.ts';
export {
  checkSealed,
  checkSealHeader,
  damageOf,
  type FileKind,
  findDamage,
  readSealed,
  SEAL_FOOTER_BYTES,
  SEAL_HEADER_BYTES,
  sealHeader,
  writeSealed,
} from './sealed-file.ts';
export { parseSealedJson, sealJson } from './sealed-json.ts';
