/**
 * Reads and writes ZIP files. Entries are stored or deflated. Encrypted archives and archives of several files
 * are not read.
 */

export { isZip, memoryFile, openZipEntry, readZipDirectory, type ZipEntry } from './zip-reader.ts';
export { ZipWriter } from './zip-writer.ts';
