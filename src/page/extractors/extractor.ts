/**
 * Extractors: plug-ins that read a kind of site better than general rules. An extractor is a module with these
 * two functions; `extractors/media-wiki.ts` is an example, and `extractors/README.md` explains how to write
 * one.
 *
 * The first extractor that matches reads the page. It may improve the page that the built-in parser returns, or
 * read an unsupported format from the bytes.
 */
import type { Page } from '../page.ts';
import type { PageInput } from '../page-input.ts';

export interface Extractor {
  /** Name for the log. */
  name: string;
  /** Content types to fetch besides the built-in ones; without parameters, in lower case. */
  contentTypes?: readonly string[];
  /**
   * Called for every response, so it should be fast: check the URL, the content type or the beginning of the
   * body.
   */
  matches(input: PageInput): boolean;
  /**
   * `parse` returns the page as the built-in parser reads it, or null. A result of null means that the response
   * is not a page.
   */
  extract(input: PageInput, parse: () => Page | null): Page | null;
}

/** Called when an extractor throws; the page is then read without it. */
export type ExtractorReport = (extractor: string, error: unknown) => void;

/**
 * Returns the result of the first extractor that matches, or of `parse` if none does. If an extractor throws,
 * the page is still read.
 */
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
