/** What every format begins with, and what the headers of a response say whatever the format is. */
import { parseDate } from './dates.ts';
import { settleLanguage } from './language.ts';
import type { Page } from './page.ts';
import type { PageInput } from './page-input.ts';
import { allowAll, applyRobotsHeader } from './robots-directives.ts';

/** A page that says nothing yet, with the restrictions of its headers. */
export function newPage(input: PageInput, contentType: string): Page {
  const robots = allowAll();
  for (const value of input.xRobotsTag) applyRobotsHeader(robots, value);
  return {
    contentType,
    title: '',
    description: '',
    language: '',
    text: '',
    marks: [],
    links: [],
    canonical: null,
    robots,
  };
}

/** Fills in the language, for which text and boilerplate must be known. */
export function setLanguage(page: Page, declared: string, input: PageInput): void {
  const { language, overruled } = settleLanguage(declared, input.contentLanguage ?? '', page);
  page.language = language;
  if (overruled !== '') page.declaredLanguage = overruled;
}

/** Null is a date that is not known. The header is only asked if the document is silent. */
export function setDates(
  page: Page,
  published: number | null,
  modified: number | null,
  input: PageInput,
): void {
  const changed = modified ?? parseDate(input.lastModified ?? '');
  if (published !== null) page.publishedAt = published;
  if (changed !== null) page.modifiedAt = changed;
}
