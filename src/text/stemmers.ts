/** The stemmer of each language. */
import {
  stemDutch,
  stemEnglish,
  stemFrench,
  stemGerman,
  stemItalian,
  stemPortuguese,
  stemRussian,
  stemSpanish,
  stemSwedish,
} from './stem/mod.ts';

export type StemmedLanguage = 'de' | 'en' | 'es' | 'fr' | 'it' | 'nl' | 'pt' | 'ru' | 'sv';

/** Each function maps a lower-case word in composed form (NFC) to its stem. */
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
