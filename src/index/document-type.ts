/**
 * What a document is: the format of its file, the ending of its address where that says something else, and behind a slash
 * what kind of page it is, where that is known: `html`, `pdf`, `html/news`, `html.md`. All stand in one column of names,
 * of which a segment has a dozen: a filter on any of them marks the names that it lets through, and an index from before
 * there were kinds or endings reads the same.
 */

/** Written to segments; names never change their meaning. */
export const DocumentKind = { news: 'news', product: 'product', feed: 'feed' } as const;
export type DocumentKind = (typeof DocumentKind)[keyof typeof DocumentKind];

/** Formats that have several endings. */
const OTHER_ENDINGS: Readonly<Record<string, string>> = {
  htm: 'html',
  xhtml: 'html',
  shtml: 'html',
  text: 'txt',
  markdown: 'md',
  mdown: 'md',
  mkd: 'md',
  jpeg: 'jpg',
  yml: 'yaml',
};
/** Endings that say something; a site could invent any number of others, and each would be a name in the column. */
const ENDINGS: ReadonlySet<string> = new Set(
  `html md txt rst adoc org tex log pdf ps djvu epub doc docx odt rtf xls xlsx ods csv tsv ppt pptx odp xml rss atom rdf svg
  json jsonl yaml toml ini php asp aspx jsp cgi pl py js mjs ts css c h cc cpp go rs java rb sh sql diff patch ipynb
  jpg png gif zip gz`.split(/\s+/),
);

/** `ending` is that of the address; only one that adds to the format is kept. */
export function documentType(format: string, kind: DocumentKind | '', ending = ''): string {
  const named = formatNamed(ending);
  const file = named === format || !ENDINGS.has(named) ? format : `${format}.${named}`;
  return kind === '' ? file : `${file}/${kind}`;
}

/** As people and files call it: `htm`, `Markdown` and `md` are two formats. */
export function formatNamed(name: string): string {
  const lower = name.toLowerCase();
  return Object.hasOwn(OTHER_ENDINGS, lower) ? OTHER_ENDINGS[lower]! : lower;
}

export function formatOf(type: string): string {
  return fileOf(type).split('.', 1)[0]!;
}

/** Whether it is of this format, by what its server says or by its address. */
export function isOfFormat(type: string, format: string): boolean {
  return format !== '' && fileOf(type).split('.').includes(format);
}

/** The empty string if it is of none. */
export function kindOf(type: string): string {
  return type.slice(fileOf(type).length + 1);
}

function fileOf(type: string): string {
  return type.split('/', 1)[0]!;
}
