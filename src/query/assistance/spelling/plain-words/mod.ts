/** Lists of everyday words of eight languages. Spelling correction does not take them for typing errors. */

export { DUTCH } from './dutch.ts';
export { ENGLISH_PLAIN_WORDS } from './english.ts';
export { FRENCH } from './french.ts';
export { GERMAN } from './german.ts';
export { ITALIAN } from './italian.ts';
export { PORTUGUESE } from './portuguese.ts';
export { SPANISH } from './spanish.ts';
export { SWEDISH } from './swedish.ts';
