/** Snowball stemmers, one file per language, over shared tables of suffixes. */
import { stemDutch } from './dutch.ts';
import { stemEnglish } from './english.ts';
import { stemFrench } from './french.ts';
import { stemGerman } from './german.ts';
import { stemItalian } from './italian.ts';
import { stemPortuguese } from './portuguese.ts';
import { stemRussian } from './russian.ts';
import { stemSpanish } from './spanish.ts';
import { stemSwedish } from './swedish.ts';

export type StemmedLanguage = 'de' | 'en' | 'es' | 'fr' | 'it' | 'nl' | 'pt' | 'ru' | 'sv';

/** The stemmers by language. Each maps a lower-case word in composed form (NFC) to its stem. */
export const STEMMERS: Record<StemmedLanguage, (word: string) => string> = {
  de: stemGerman,
  en: stemEnglish,
  es: stemSpanish,
  fr: stemFrench,
  it: stemItalian,
  nl: stemDutch,
  pt: stemPortuguese,
  ru: stemRussian,
  sv: stemSwedish,
};
