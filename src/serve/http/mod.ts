/** Response headers and encodings that several routes share: compression, Vary and entity tags. */

export { type Coding, codingOf, compressPage, sendCoded } from './content-encoding.ts';
export { sendTagged } from './entity-tag.ts';
export { varyBy } from './vary-header.ts';
