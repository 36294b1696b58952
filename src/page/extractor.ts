/**
 * Extractors: plug-ins that know a kind of site better than any general rule can. One is a module with
 * these two functions; `extractors/media-wiki.ts` is an example, and `extractors/README.md` tells how to
 * write one.
 *
 * The first extractor that matches has the page. It may ask for the page as it would be without it and
 * improve on that, or read a format that we do not know from the bytes.
 */
import type { Page } from './page.ts';
import type { PageInput } from './page-input.ts';

export interface Extractor {
  /** For the log. */
  name: string;
  /** Content types to fetch besides those that are read anyway; without parameters, in lower case. */
  contentTypes?: readonly string[];
  /** Asked of every response, so it should be quick: an address, a content type, the opening of the body. */
  matches(input: PageInput): boolean;
  /** `parse` gives the page as it is read without extractors, or null. Null says that this is no page. */
  extract(input: PageInput, parse: () => Page | null): Page | null;
}

/** Told of an extractor that threw; the page is then read without it. */
export type ExtractorReport = (extractor: string, error: unknown) => void;

/** `parse`, or what the first extractor that matches makes of it. A bug in a plug-in never costs a page. */
export function extractWith(
  extractors: readonly Extractor[],
  input: PageInput,
  parse: () => Page | null,
  report: ExtractorReport = () => {},
): Page | null {
  for (const extractor of extractors) {
    try {
      if (extractor.matches(input)) return extractor.extract(input, parse);
    } catch (error) {
      report(extractor.name, error);
    }
  }
  return parse();
}
