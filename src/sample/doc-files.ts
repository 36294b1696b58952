/**
 * Finds the documentation of an npm package: the files that become pages of the sample web, and their paths.
 *
 *   Markdown     anywhere in the package
 *   plain text   at its top (also `README`, `CHANGES` and the like without a suffix) or below doc or docs
 *   HTML         below doc or docs, unless there is a Markdown file of the same name
 *
 * Folders of tests and of other packages, files over 512 KiB, and licences are left out. Licences are left out
 * because they would be hundreds of copies of five texts. This module reads only names and sizes; contents are
 * read when a page is requested.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { systemCode } from '../base/mod.ts';
import { writtenAt } from './doc-dates.ts';

type DocFormat = 'markdown' | 'text' | 'html';

export interface DocFile {
  /**
   * The path of the page's URL, not percent-encoded: `/` for the README, otherwise `/` and the path in the
   * package.
   */
  path: string;
  /** The path of the file within the package, with `/` as the separator. */
  file: string;
  format: DocFormat;
  /** The date of the page in milliseconds since 1970; see doc-dates.ts. */
  modifiedAt: number;
}

const MAX_FILE_BYTES = 512 * 1024;
const MAX_PAGES = 200;
const MAX_DEPTH = 8;

const SKIPPED_FOLDER =
  /^(?:\..*|node_modules|tests?|__tests__|specs?|fixtures?|benchmarks?|coverage|bower_components)$/i;
const LICENCE = /^(?:un)?licen[cs]e|^copying|^notice|^third-?party/i;
const TOP_NAME = /^(?:readme|changelog|changes|history|authors|contributing|news|upgrading|faq)$/i;
const README = /^readme(?:\.(?:md|markdown|txt))?$/i;
const FORMATS: Record<string, DocFormat> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.txt': 'text',
  '.html': 'html',
  '.htm': 'html',
};

/**
 * Finds at most 200 documentation files: first the README if there is one, then the other files, those in
 * shallow folders first.
 */
export function findDocs(folder: string): DocFile[] {
  const files = withoutRendered(listFiles(folder, '', 0));
  files.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  const readme = files.find((file) => README.test(file));
  const ordered = readme === undefined ? files : [readme, ...files.filter((file) => file !== readme)];
  const written = writtenAt(folder);
  const docs = ordered.map((file) => docFile(folder, file, file === readme ? '/' : `/${file}`, written));
  return docs.filter((doc) => doc !== undefined).slice(0, MAX_PAGES);
}

/**
 * Lists the paths of possible pages in `folder`. Symbolic links are not followed, so no path leads outside of
 * the package.
 */
function listFiles(folder: string, prefix: string, depth: number): string[] {
  const files: string[] = [];
  for (const entry of entriesOf(join(folder, prefix))) {
    const file = prefix + entry.name;
    if (entry.isDirectory() && depth < MAX_DEPTH && !SKIPPED_FOLDER.test(entry.name)) {
      files.push(...listFiles(folder, `${file}/`, depth + 1));
    } else if (entry.isFile() && isDocumentation(file)) {
      files.push(file);
    }
  }
  return files;
}

/** Lists a folder. A folder without read permission counts as empty. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return [];
  }
}

function isDocumentation(file: string): boolean {
  const name = basename(file);
  const format = FORMATS[extname(name).toLowerCase()];
  if (LICENCE.test(name)) return false;
  if (format === 'markdown') return true;
  const isTop = !file.includes('/');
  const isInDocs = /(?:^|\/)docs?\//i.test(file);
  if (format === 'html') return isInDocs;
  if (format === 'text') return isTop || isInDocs;
  return isTop && TOP_NAME.test(name);
}

/** Drops HTML files that have the same name as a Markdown file, because they were rendered from it. */
function withoutRendered(files: string[]): string[] {
  const sources = new Set(files.filter((file) => formatOf(file) === 'markdown').map(stemOf));
  return files.filter((file) => formatOf(file) !== 'html' || !sources.has(stemOf(file)));
}

function docFile(
  folder: string,
  file: string,
  path: string,
  written: ReturnType<typeof writtenAt>,
): DocFile | undefined {
  const stats = statSync(join(folder, file), { throwIfNoEntry: false });
  if (!stats || stats.size === 0 || stats.size > MAX_FILE_BYTES) return undefined;
  return { path, file, format: formatOf(file), modifiedAt: written(file, stats.mtimeMs) };
}

function formatOf(file: string): DocFormat {
  return FORMATS[extname(file).toLowerCase()] ?? 'text';
}

function stemOf(file: string): string {
  return basename(file, extname(file)).toLowerCase();
}

function depthOf(file: string): number {
  return file.split('/').length;
}
