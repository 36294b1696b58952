/**
 * Renders the HTML of the sample web: the directory of packages, the front page of a package, its documents,
 * and the 404 page.
 */
import type { DocFile } from './doc-files.ts';
import { encodePath } from './doc-links.ts';
import { type Markup, type MarkupContent, raw, sampleHtml } from './html.ts';
import { iconOf } from './icons.ts';
import type { PackageHost } from './package-hosts.ts';

/** Returns the absolute URL of a path on a host of the sample web. */
export type AddressOf = (host: string, path: string) => string;

export interface Article {
  title: string;
  description: string;
  body: Markup;
}

export const DIRECTORY_HOST = 'localhost';

const STYLE = raw(`body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:0 auto;padding:1rem;
color:#222;background:#fff}header,footer{color:#555}header{border-bottom:1px solid #ddd}
footer{border-top:1px solid #ddd;margin-top:2rem}pre{overflow-x:auto;background:#f5f5f5;padding:.7rem}
code{font-family:ui-monospace,monospace;font-size:.9em}img{max-width:100%}a{color:#0645ad}
table{border-collapse:collapse}td,th{border:1px solid #ddd;padding:.2rem .6rem}dt{font-weight:600}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}header,footer{color:#aaa}
pre{background:#262626}a{color:#8ab4f8}}`);

/**
 * Renders the front page of a package: its README, or its manifest if there is none, then its dependencies
 * and dependents.
 */
export function frontPage(
  host: PackageHost,
  table: ReadonlyMap<string, PackageHost>,
  address: AddressOf,
  readme?: Markup,
): string {
  const { name, description, dependencies } = host.manifest;
  const linkTo = (other: PackageHost) => link(address(other.host, '/'), other.manifest.name);
  const uses = dependencies.map((dependency) => {
    const installed = table.get(dependency);
    return installed ? linkTo(installed) : dependency; // optional ones need not be installed
  });
  const documents = otherDocs(host).map((doc) => link(encodePath(doc.path), doc.file));
  const body = sampleHtml`${packageHeader(host, description)}
<main>${readme ?? sampleHtml`<h1>${name}</h1>`}</main>
<footer>
${facts(host)}
${linkList('Dependencies', uses)}
${linkList('Used by', host.usedBy.map(linkTo))}
${linkList('Documentation', documents)}
${directoryLink(address)}
</footer>`;
  return layout(titled(name, description), description, body, iconLink(name));
}

export function docPage(host: PackageHost, article: Article, address: AddressOf): string {
  const body = sampleHtml`${packageHeader(host, '')}
<main>${article.body}</main>
<footer>${directoryLink(address)}</footer>`;
  const { name } = host.manifest;
  return layout(titled(article.title, name), article.description, body, iconLink(name));
}

/**
 * Renders one page of the directory of packages; pages are numbered from 1. It has `noindex`, because a list
 * of all packages would match every query.
 */
export function directoryPage(
  hosts: readonly PackageHost[],
  page: number,
  pageCount: number,
  address: AddressOf,
): string {
  const entries = hosts.map(
    (
      host,
    ) => sampleHtml`<li>${link(address(host.host, '/'), host.manifest.name)} ${host.manifest.description}</li>
`,
  );
  const body = sampleHtml`<main><h1>Packages on this machine</h1>
<p>Each has a site of its own, made from the documentation that was installed with it.</p>
<ul>
${entries}</ul></main>
<footer>${pageCount > 1 ? sampleHtml`<nav>Pages: ${pageLinks(page, pageCount)}</nav>` : ''}</footer>`;
  const title = page === 1 ? 'Packages on this machine' : `Packages on this machine, page ${page}`;
  return layout(title, '', body, sampleHtml`<meta name="robots" content="noindex">`);
}

export function directoryPath(page: number): string {
  return page === 1 ? '/' : `/page/${page}`;
}

export function notFoundPage(address: AddressOf): string {
  const body = sampleHtml`<main><h1>Not found</h1><p>Nothing is kept at this address.</p></main>
<footer>${directoryLink(address)}</footer>`;
  return layout('Not found', '', body);
}

function layout(title: string, description: string, body: Markup, extra = raw('')): string {
  return sampleHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
${description === '' ? '' : sampleHtml`<meta name="description" content="${description}">`}
${extra}
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`.markup;
}

function iconLink(name: string): Markup {
  const icon = iconOf(name);
  return icon?.isDeclared ? sampleHtml`<link rel="icon" href="${icon.path}">` : raw('');
}

/**
 * Renders the header of a page. Only the front page of a package has its description. If every page had the
 * description, every page would match a query for its words.
 */
function packageHeader(host: PackageHost, description: string): Markup {
  const { name, version } = host.manifest;
  return sampleHtml`<header><p>${link('/', name)} ${version}${description === '' ? '' : ` · ${description}`}</p></header>`;
}

function facts(host: PackageHost): Markup {
  const { version, license, keywords, homepage, repository } = host.manifest;
  const rows: [string, MarkupContent][] = [
    ['Version', version],
    ['Licence', license],
    ['Keywords', keywords.join(', ')],
    ['Homepage', homepage && link(homepage, homepage)],
    ['Repository', repository && link(repository, repository)],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  return sampleHtml`<dl>${shown.map(([name, value]) => sampleHtml`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function otherDocs(host: PackageHost): DocFile[] {
  return [...host.docs.values()].filter((doc) => doc.path !== '/');
}

function pageLinks(page: number, pageCount: number): Markup[] {
  const pages = Array.from({ length: pageCount }, (_, at) => at + 1);
  return pages.map((other) =>
    other === page ? sampleHtml`<b>${other}</b> ` : sampleHtml`${link(directoryPath(other), String(other))} `,
  );
}

function linkList(heading: string, items: MarkupContent[]): Markup {
  if (items.length === 0) return raw('');
  return sampleHtml`<h2>${heading}</h2><ul>${items.map((item) => sampleHtml`<li>${item}</li>`)}</ul>`;
}

function directoryLink(address: AddressOf): Markup {
  return sampleHtml`<p>${link(address(DIRECTORY_HOST, '/'), 'All packages')}</p>`;
}

function link(href: string, text: string): Markup {
  return sampleHtml`<a href="${href}">${text}</a>`;
}

function titled(first: string, second: string): string {
  return second === '' ? first : `${first} — ${second}`;
}
