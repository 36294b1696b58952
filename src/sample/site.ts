/**
 * Makes the responses of the sample web, without HTTP: the directory of packages on `localhost`, and the
 * pages, icon, robots.txt and sitemap of each package on its host. Only files that the scan listed can be
 * requested, so no path leads to other files on the disk.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../base/mod.ts';
import { robotsText, type SitemapEntry, sitemapXml } from './crawler-files.ts';
import type { DocFile } from './doc-files.ts';
import { decodePath, encodePath, resolveDocLink } from './doc-links.ts';
import { type Markup, raw, sampleHtml } from './html.ts';
import { iconOf } from './icons.ts';
import { renderMarkdown, withoutLocalLinks } from './markdown.ts';
import type { PackageHost, PackageHosts } from './package-hosts.ts';
import {
  type AddressOf,
  type Article,
  DIRECTORY_HOST,
  directoryPage,
  directoryPath,
  docPage,
  frontPage,
  notFoundPage,
} from './pages.ts';

export type SampleResponse =
  | { kind: 'page'; contentType: string; body: string | Buffer; modifiedAt: number }
  | { kind: 'moved'; location: string }
  | { kind: 'absent'; body: string };

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const XML = 'application/xml';
const PNG = 'image/png';
const PACKAGES_PER_PAGE = 100;

export class SampleSite {
  readonly #table: PackageHosts;
  readonly #address: AddressOf;
  readonly #directory: PackageHost[][];
  /** The modification time of the directory, which changes whenever a package changes. */
  readonly #modifiedAt: number;

  constructor(table: PackageHosts, address: AddressOf) {
    this.#table = table;
    this.#address = address;
    this.#directory = pagesOf([...table.byPackage.values()]);
    this.#modifiedAt = Math.max(0, ...table.byPackage.values().map((host) => host.modifiedAt));
  }

  get pageCount(): number {
    const counts = this.#table.byPackage.values().map(({ docs }) => docs.size + (docs.has('/') ? 0 : 1));
    return counts.reduce((sum, count) => sum + count, this.#directory.length);
  }

  /**
   * Returns the response to a request. `host` has no port. `path` is the raw request path without a query.
   */
  async answer(host: string, path: string): Promise<SampleResponse> {
    const decoded = decodePath(path);
    const owner = this.#table.byHost.get(host);
    const isDirectory = host === DIRECTORY_HOST || host === '127.0.0.1';
    if (decoded === null || !(owner || isDirectory)) return this.#absent();
    const name = owner?.host ?? DIRECTORY_HOST;
    if (decoded === '/robots.txt') {
      return page(robotsText(this.#address(name, '/sitemap.xml')), this.#modifiedAt, TEXT);
    }
    if (decoded === '/sitemap.xml') {
      const entries = owner ? this.#pagesOfPackage(owner) : this.#pagesOfDirectory();
      return page(sitemapXml(entries), this.#modifiedAt, XML);
    }
    return owner ? this.#document(owner, decoded) : this.#directoryPage(decoded);
  }

  #pagesOfPackage(owner: PackageHost): SitemapEntry[] {
    const others = [...owner.docs.values()].filter((doc) => doc.path !== '/');
    return [{ path: '/', modifiedAt: owner.frontModifiedAt }, ...others].map(({ path, modifiedAt }) => ({
      address: this.#address(owner.host, encodePath(path)),
      modifiedAt,
    }));
  }

  #pagesOfDirectory(): SitemapEntry[] {
    const modifiedAt = this.#modifiedAt;
    return this.#directory.map((_, at) => ({
      address: this.#address(DIRECTORY_HOST, directoryPath(at + 1)),
      modifiedAt,
    }));
  }

  #directoryPage(path: string): SampleResponse {
    const at = this.#directory.findIndex((_, index) => directoryPath(index + 1) === path);
    const hosts = this.#directory[at];
    if (!hosts) return this.#absent();
    return page(directoryPage(hosts, at + 1, this.#directory.length, this.#address), this.#modifiedAt);
  }

  async #document(owner: PackageHost, path: string): Promise<SampleResponse> {
    const readme = owner.docs.get('/');
    if (readme && path === `/${readme.file}`) {
      return { kind: 'moved', location: this.#address(owner.host, '/') };
    }
    const doc = owner.docs.get(path);
    if (!doc) return path === '/' ? this.#front(owner) : this.#icon(owner, path);
    const source = await readDoc(owner, doc);
    if (source === null) return this.#absent();
    if (doc.format === 'html') return page(withoutLocalLinks(source), doc.modifiedAt);
    const article = articleOf(owner, doc, source);
    if (path === '/') return this.#front(owner, article.body);
    return page(docPage(owner, article, this.#address), doc.modifiedAt);
  }

  #front(owner: PackageHost, readme?: Markup): SampleResponse {
    const body = frontPage(owner, this.#table.byPackage, this.#address, readme);
    return page(body, owner.frontModifiedAt);
  }

  #icon(owner: PackageHost, path: string): SampleResponse {
    const icon = iconOf(owner.manifest.name);
    return icon?.path === path ? page(icon.png, owner.modifiedAt, PNG) : this.#absent();
  }

  #absent(): SampleResponse {
    return { kind: 'absent', body: notFoundPage(this.#address) };
  }
}

function page(body: string | Buffer, modifiedAt: number, contentType = HTML): SampleResponse {
  return { kind: 'page', contentType, body, modifiedAt };
}

/** Divides the packages into pages of the directory. There is at least one page, which may be empty. */
function pagesOf(hosts: PackageHost[]): PackageHost[][] {
  const count = Math.max(1, Math.ceil(hosts.length / PACKAGES_PER_PAGE));
  return Array.from({ length: count }, (_, at) =>
    hosts.slice(at * PACKAGES_PER_PAGE, (at + 1) * PACKAGES_PER_PAGE),
  );
}

/** Reads a document. Returns null if the file has been removed since the scan. */
async function readDoc(owner: PackageHost, doc: DocFile): Promise<string | null> {
  try {
    return await readFile(join(owner.folder, doc.file), 'utf8');
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return null;
  }
}

function articleOf(owner: PackageHost, doc: DocFile, source: string): Article {
  if (doc.format !== 'markdown') {
    return { title: doc.file, description: '', body: sampleHtml`<pre>${source}</pre>` };
  }
  const rendered = renderMarkdown(source, (href) => resolveDocLink(owner.docs, doc.path, href));
  return { title: rendered.title || doc.file, description: rendered.description, body: raw(rendered.html) };
}
