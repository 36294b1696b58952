/**
 * Reads and writes ZIP files, as far as WACZ files need it. Entries are stored or deflated. Encrypted
 * archives and archives of several files are not read.
 */

export { isZip, openZipEntry, readZipDirectory } from './zip-reader.ts';
export { ZipWriter } from './zip-writer.ts';
