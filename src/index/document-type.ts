/**
 * The type of a document: the format of its file; the extension of its URL, if that names another format; and
 * after a slash the kind of page, if it is known; and after a semicolon the rating of the family filter. Examples:
 * `html`, `pdf`, `html/news`, `html.md`, `html.image`, `html/news;adult`. All four share one column of names, and a segment has about
 * a dozen different names. A filter on any of them marks the names that it accepts. Indexes written before kinds,
 * extensions or ratings existed are read in the same way.
 */

/** These names are written to segments and must never change their meaning. */
export const DocumentKind = {
  news: 'news',
  product: 'product',
  feed: 'feed',
  listing: 'listing',
  source: 'source',
} as const;
export type DocumentKind = (typeof DocumentKind)[keyof typeof DocumentKind];

/** For whom a page is not suited; written to segments. Pages with a rating are hidden by the family filter. */
export type Rating = 'adult' | 'mature';

/** The pages that the family filter hides: none, those for adults, or also those that may be. */
export const FAMILY_LEVELS = ['off', 'moderate', 'strict'] as const;
export type FamilyLevel = (typeof FAMILY_LEVELS)[number];

/** Stands for the extension of another format on pages with pictures: `filetype:image` finds them. */
const WITH_IMAGES = 'image';

/** Other extensions for the same format. */
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
/**
 * Known extensions. Others are ignored, because a site could invent any number of them, and each would be a
 * name in the column.
 */
const ENDINGS: ReadonlySet<string> = new Set(
  `html md txt rst adoc org tex log pdf ps djvu epub doc docx odt rtf xls xlsx ods csv tsv ppt pptx odp xml rss atom rdf svg
  json jsonl yaml toml ini php asp aspx jsp cgi pl py js mjs ts css c h cc cpp go rs java rb sh sql diff patch ipynb
  jpg png gif zip gz`.split(/\s+/),
);

/** `ending` is the extension of the URL. It is kept only if it is known and differs from the format. */
export function documentType(
  format: string,
  kind: DocumentKind | '',
  ending = '',
  rating: Rating | '' = '',
  hasImages = false,
): string {
  const named = formatNamed(ending);
  const written = named === format || !ENDINGS.has(named) ? format : `${format}.${named}`;
  const file = hasImages ? `${written}.${WITH_IMAGES}` : written;
  return `${file}${kind === '' ? '' : `/${kind}`}${rating === '' ? '' : `;${rating}`}`;
}

/** Normalizes the name of a format or an extension: `htm` becomes `html`; `Markdown` becomes `md`. */
export function formatNamed(name: string): string {
  const lower = name.toLowerCase();
  return Object.hasOwn(OTHER_ENDINGS, lower) ? OTHER_ENDINGS[lower]! : lower;
}

export function formatOf(type: string): string {
  return fileOf(type).split('.', 1)[0]!;
}

/** Reports whether the document has this format, by its content type or by the extension of its URL. */
export function isOfFormat(type: string, format: string): boolean {
  return format !== '' && fileOf(type).split('.').includes(format);
}

/** Returns the kind of a type, or the empty string if it has none. */
export function kindOf(type: string): string {
  const [named] = type.split(';', 1);
  return named!.slice(fileOf(type).length + 1);
}

/** Reports whether documents of this type only list other pages or show source code. */
export function isAuxiliaryType(type: string): boolean {
  const kind = kindOf(type);
  return kind === DocumentKind.listing || kind === DocumentKind.source;
}

/** Reports whether the family filter of this level hides documents of this type. */
export function isHiddenType(type: string, level: FamilyLevel): boolean {
  if (level === 'off') return false;
  return type.endsWith(';adult') || (level === 'strict' && type.endsWith(';mature'));
}

function fileOf(type: string): string {
  return type.split(/[/;]/, 1)[0]!;
}
