/** Exports the index in the Common Index File Format, which other engines read. */

export { exportCiff } from './ciff.ts';
