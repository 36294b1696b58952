/**
 * Reads the archive of a crawl for the bench: the newest capture of each URL, and outlines of archived pages.
 */

import { decodeCdx } from '../../src/archive/cdx/mod.ts';
import {
  ArchiveReader,
  type CdxEntry,
  findOriginal,
  headerOf,
  interpretRecord,
} from '../../src/archive/mod.ts';
import { readData } from '../../src/cli/data-directory.ts';
import type { CanonicalUrl } from '../../src/url/mod.ts';
import { runGyre, type WebData } from './engine.ts';
import { headOutlineOf, type Outline, outlineOf } from './html-outline.ts';

export class ArchivedPages {
  readonly #archive: ArchiveReader;
  readonly #captures = new Map<string, CdxEntry>();

  constructor(of: WebData) {
    this.#archive = new ArchiveReader(readData(of.data).archive);
    for (const line of runGyre(of, 'export', '--format', 'cdxj').split('\n')) {
      const entry = decodeCdx(line);
      const known = entry && this.#captures.get(entry.url);
      if (entry && (!known || known.timestamp <= entry.timestamp)) this.#captures.set(entry.url, entry);
    }
  }

  /**
   * Returns all URLs whose response had status 200 and contained HTML, in groups. URLs with equal bodies are
   * in one group.
   */
  htmlPages(): string[][] {
    const byDigest = Map.groupBy(
      [...this.#captures.values()].filter(({ status }) => status === 200),
      ({ digest }) => digest,
    );
    return [...byDigest.values()]
      .filter((same) => same.some(({ mime }) => mime === 'text/html' || mime === 'application/xhtml+xml'))
      .map((same) => same.map(({ url }) => url));
  }

  /** Returns the outline of a page; null if the body of the URL is not in the archive. */
  outline(url: string): Outline | null {
    return this.#outline(url, outlineOf);
  }

  /** Returns the outline of a page without its main text, which is much faster. */
  headOutline(url: string): Outline | null {
    return this.#outline(url, headOutlineOf);
  }

  close(): void {
    this.#archive.close();
  }

  #outline(url: string, readHtml: (html: string) => Outline): Outline | null {
    const capture = this.#captures.get(url);
    return capture ? this.#outlineOf(capture, readHtml) : null;
  }

  #outlineOf(capture: CdxEntry, readHtml: (html: string) => Outline): Outline | null {
    const record = this.#archive.read(capture);
    const url = capture.url as CanonicalUrl;
    if (record.type === 'response' && record.http && headerOf(record.http, 'content-type').includes('html'))
      return readHtml(record.http.body.toString());
    const meaning = interpretRecord(record, url);
    if (meaning.kind === 'revisit') {
      const original = findOriginal(this.#archive, meaning);
      return original ? this.#outlineOf(original, readHtml) : null;
    }
    if (meaning.kind !== 'page') return null;
    const { title, language, text, robots } = meaning.page;
    return { title, h1: '', language, isNoIndex: !robots.index, mainText: text };
  }
}
