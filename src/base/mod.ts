/**
 * base: what any program of this kind needs and nothing that knows of search. Each file could be
 * lifted into another project tomorrow; it imports only Node's own modules.
 */
export { ByteReader, ByteWriter, freeBytes } from './bytes.ts';
export { type Clock, sleep, systemClock } from './clock.ts';
export {
  type AppendFile,
  type Directory,
  directoryAt,
  openDirectory,
  partOf,
  type RandomFile,
} from './directory.ts';
export { CorruptError, GyreError, messageOf, systemCode, UsageError } from './errors.ts';
export { acquireLock, type FileLock, isLocked } from './file-lock.ts';
export { hash64, hashLanes, sha1Base32 } from './hash.ts';
export { Heap } from './heap.ts';
export { type Line, readLines } from './lines.ts';
export { createLog, type Log, type LogFields, type LogLevel, silentLog } from './log.ts';
export { decodePng, encodePng, type Raster } from './png.ts';
export { Random } from './random.ts';
export { ReadAhead } from './read-ahead.ts';
export {
  checkSealed,
  checkSealHeader,
  damageOf,
  type FileKind,
  readSealed,
  SEAL_FOOTER_BYTES,
  SEAL_HEADER_BYTES,
  sealHeader,
  writeSealed,
} from './sealed-file.ts';
export { formatSize, parseDuration, parseSize } from './units.ts';
export { type CacheStats, VersionedCache } from './versioned-cache.ts';
export {
  BusyCell,
  deathReason,
  type ThreadDeath,
  WatchedThread,
  type WatchedThreadOptions,
} from './watched-thread.ts';
