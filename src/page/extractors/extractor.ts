/**
 * Extractors are plug-ins that read a kind of site better than general rules can. An extractor has two
 * functions, `matches` and `extract`; `extractors/media-wiki.ts` is an example, and `extractors/README.md`
 * explains how to write one.
 *
 * The first extractor that matches reads the page. It may improve the page that the built-in parser returns, or
 * read an unsupported format from the bytes.
 */
import type { Page } from '../page.ts';
import type { PageInput } from '../page-input.ts';

export interface Extractor {
  name: string;
  /**
   * The content types that the extractor reads in addition to the built-in ones, in lower case and without
   * parameters. The crawl then fetches them.
   */
  contentTypes?: readonly string[];
  /**
   * Returns true if the extractor can read the response. It is called for every response, so it should check
   * only the URL, the content type or the beginning of the body.
   */
  matches(input: PageInput): boolean;
  /**
   * Reads the page; returns null if the response is not a page. `parse` reads it with the built-in parser, and may also
   * return null.
   */
  extract(input: PageInput, parse: () => Page | null): Page | null;
}

/** Called when an extractor throws; the page is then read without it. */
export type ExtractorReport = (extractor: string, error: unknown) => void;

/**
 * Reads a page with the first extractor that matches, or with `parse` if no extractor matches. If an extractor
 * throws, the page is read with `parse`.
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
