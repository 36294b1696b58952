/**
 * The parts of the ZIP format that WACZ files need. Entries are stored or deflated; encryption and spanned
 * archives are not read.
 */

export { isZip, openZipEntry, readZipDirectory } from './zip-reader.ts';
export { ZipWriter } from './zip-writer.ts';
