/** Features with legacy and contradictory character encodings. */

export { planMissingCharset, planWrongCharset } from './charsets.ts';
