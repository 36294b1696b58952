/**
 * Resolves links within the documentation of a package.
 *
 * Most authors write the path of a file, which is also its path in the sample web. Some write links for a site
 * generator: without the suffix (`./Client`), to a folder (`docs/`), or from the root of a site whose files are
 * deeper in the package (`/commands/npm-ci` is `docs/content/commands/npm-ci.md`). Such a link is replaced by
 * the path of the intended page. A link without a matching page is left unchanged and returns 404.
 */
import type { DocFile } from './doc-files.ts';

const SUFFIXES = ['', '.md', '/README.md', '/readme.md', '/index.md'];

/**
 * Resolves `href`, a link in the document at `from`. The result is a link that can be used in the same
 * document.
 */
export function resolveDocLink(docs: ReadonlyMap<string, DocFile>, from: string, href: string): string {
  if (href.startsWith('#') || href.startsWith('//') || /^[a-z][a-z0-9+.-]*:/i.test(href)) return href;
  const target = URL.parse(href, `http://package.localhost${encodePath(from)}`);
  const path = target && decodePath(target.pathname);
  if (!target || path === null) return href;
  const page = findPage(docs, path, href.startsWith('/'));
  return page === undefined ? href : encodePath(page) + target.hash;
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Decodes the percent-escapes of a path. Returns null if they are not UTF-8. */
export function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function findPage(docs: ReadonlyMap<string, DocFile>, path: string, isFromTop: boolean): string | undefined {
  const stem = path.replace(/\/$/, '').replace(/\.html?$/, '');
  const wanted = [path, ...SUFFIXES.map((suffix) => stem + suffix)];
  for (const candidate of wanted) {
    const page = candidate === '' ? '/' : candidate;
    if (docs.has(page)) return page;
    if (docs.get('/')?.file === page.slice(1)) return '/';
  }
  if (!isFromTop || stem === '') return undefined;
  return docs.keys().find((page) => wanted.some((candidate) => page.endsWith(candidate)));
}
