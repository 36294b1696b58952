/**
 * Creates the empty page that the parser of every format fills, and sets the fields that response headers
 * determine.
 */

import { languageSuffixesOf, languagesIn } from '../url/mod.ts';
import { settleLanguage } from './language/mod.ts';
import { allowAll, applyRobotsHeader, parseDate, ratingIn } from './metadata/mod.ts';
import type { Page } from './page.ts';
import type { PageInput } from './page-input.ts';

/** Returns an empty page with the robots directives of the response headers. */
export function newPage(input: PageInput, contentType: string): Page {
  const robots = allowAll();
  for (const value of input.xRobotsTag) applyRobotsHeader(robots, value);
  const rating = ratingIn(input.rating ?? '');
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
    ...(rating && { rating }),
  };
}

/** Sets the language of a page. Its title, text, boilerplate and alternates must already be set. */
export function setLanguage(page: Page, declared: string, input: PageInput): void {
  const { language, overruled } = settleLanguage(
    {
      declared,
      header: input.contentLanguage ?? '',
      listed: page.alternates?.find(({ url }) => url === input.url)?.language ?? '',
      url: [...languagesIn(input.url), ...languageSuffixesOf(input.url)],
    },
    page,
  );
  page.language = language;
  if (overruled !== '') page.declaredLanguage = overruled;
}

/**
 * Sets the publication and the modification date of a page. Null stands for an unknown date. The Last-Modified
 * header is used only if the document gives no modification date.
 */
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
