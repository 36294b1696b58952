/**
 * sketch: estimates how similar the contents of two pages are, from small sketches of them, and distinguishes
 * pages with different titles or languages. Also tells whether a page has changed since its last visit. A sketch costs one pass over the text, about 170 MB per second.
 * The rooms that use sketches decide what to do with similar pages.
 */

export { changeKey } from './change-key.ts';
export { contentKey, keyWithoutDigits } from './content-ranges.ts';
export { signatureOf } from './signature.ts';
export {
  BAND_COUNT,
  BIN_COUNT,
  type Sketch,
  simhashDistance,
  similarity,
  similarityError,
  sketchOfPage,
} from './sketch.ts';
