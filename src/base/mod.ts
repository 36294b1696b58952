/**
 * base: general building blocks: bytes, hashes, files, locks, worker threads, units, errors and logs. It
 * contains nothing specific to search and imports only Node's own modules.
 */

export { BoundedCache } from './bounded-cache.ts';
export { ByteReader, ByteWriter, freeBytes } from './bytes.ts';
export { type Clock, sleep, systemClock } from './clock.ts';
export {
  CorruptError,
  type FileProblem,
  GyreError,
  isDiskFull,
  messageOf,
  systemCode,
  UsageError,
} from './errors.ts';
export {
  type AppendFile,
  acquireLock,
  type BlobStore,
  checkBlobName,
  checkSealed,
  checkSealHeader,
  type Directory,
  damageOf,
  directoryAt,
  type FileKind,
  type FileLock,
  findDamage,
  isLocked,
  type Line,
  openDirectory,
  parseSealedJson,
  partOf,
  type RandomFile,
  readLines,
  readSealed,
  SEAL_FOOTER_BYTES,
  SEAL_HEADER_BYTES,
  sealHeader,
  sealJson,
  writeSealed,
} from './files/mod.ts';
export { hash64, hashLanes, sha1Base32 } from './hash.ts';
export { Heap } from './heap.ts';
export { compileKernel, loadKernel, startKernel } from './kernel.ts';
export { createLog, type Log, type LogFields, type LogLevel, silentLog } from './log.ts';
export { isMemoryFull, isMemoryHigh, watchMemory } from './memory-level.ts';
export { nearestName } from './nearest-name.ts';
export { encodePng } from './png.ts';
export { popCount } from './pop-count.ts';
export { escapeControls } from './printable.ts';
export { Random } from './random.ts';
export { ReadAhead } from './read-ahead.ts';
export { DAY_MS, formatDuration, formatSize, HOUR_MS, MINUTE_MS, parseDuration, parseSize } from './units.ts';
export { type CacheStats, VersionedCache } from './versioned-cache.ts';
export { WorkBudget } from './work-budget.ts';
export {
  askThread,
  deathReason,
  type Lane,
  ParserPool,
  sendEvent,
  sendNote,
  serveChannel,
  serveTasks,
  type TaskOutcome,
  WorkerChannel,
} from './workers/mod.ts';
export {
  isZip,
  memoryFile,
  openZipEntry,
  readZipDirectory,
  type ZipEntry,
  ZipWriter,
} from './zip/mod.ts';
