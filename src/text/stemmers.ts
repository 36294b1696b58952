/** Which languages are stemmed, and by what. */
import { stemDutch } from './stem/dutch.ts';
import { stemEnglish } from './stem/english.ts';
import { stemFrench } from './stem/french.ts';
import { stemGerman } from './stem/german.ts';
import { stemItalian } from './stem/italian.ts';
import { stemPortuguese } from './stem/portuguese.ts';
import { stemRussian } from './stem/russian.ts';
import { stemSpanish } from './stem/spanish.ts';
import { stemSwedish } from './stem/swedish.ts';

export type StemmedLanguage = 'de' | 'en' | 'es' | 'fr' | 'it' | 'nl' | 'pt' | 'ru' | 'sv';

/** From a lower-case word in composed form (NFC) to its stem. */
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
