/** Snowball stemmers, one file per language, over shared tables of suffixes. */

export { stemDutch } from './dutch.ts';
export { stemEnglish } from './english.ts';
export { stemFrench } from './french.ts';
export { stemGerman } from './german.ts';
export { stemItalian } from './italian.ts';
export { stemPortuguese } from './portuguese.ts';
export { stemRussian } from './russian.ts';
export { stemSpanish } from './spanish.ts';
export { stemSwedish } from './swedish.ts';
