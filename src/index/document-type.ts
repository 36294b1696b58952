/**
 * The type of a document is a string of up to five parts: the format of the file; a dot and the extension of
 * the URL, if it names another format; a slash and the kind of page, if known; a semicolon and the rating for
 * the family filter; a number sign and the name of each collection that has the page. Examples: `html`, `pdf`,
 * `html/news`, `html.md`, `html.image`, `html/news;adult`, `html#jobs#portals`. A segment stores the type of each
 * document in one column and has about a dozen different types. A filter on one of the parts first chooses the
 * types that it accepts.
 */

/** The kinds of pages. The names are written to segments and must never change their meaning. */
export const DocumentKind = {
  news: 'news',
  product: 'product',
  feed: 'feed',
  listing: 'listing',
  source: 'source',
} as const;
export type DocumentKind = (typeof DocumentKind)[keyof typeof DocumentKind];

/**
 * The audience for which a page is not suited. Ratings are written to segments; the family filter hides pages
 * that have one.
 */
export type Rating = 'adult' | 'mature';

/**
 * Levels of the family filter: `off` hides nothing, `moderate` hides pages rated `adult`, `strict` also hides
 * pages rated `mature`.
 */
export const FAMILY_LEVELS = ['off', 'moderate', 'strict'] as const;
export type FamilyLevel = (typeof FAMILY_LEVELS)[number];

/**
 * Stored instead of the extension in the types of pages with pictures, so that `filetype:image` finds these
 * pages.
 */
const WITH_IMAGES = 'image';

/** The name that `filetype:` accepts for all formats of finished documents: PDF, office documents and e-books. */
const ANY_DOCUMENT = 'document';
const DOCUMENT_FORMATS: ReadonlySet<string> = new Set('pdf docx pptx xlsx odt odp ods epub'.split(' '));

/** Maps other extensions of a format to the usual one, such as `htm` to `html`. */
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
  docm: 'docx',
  dotx: 'docx',
  pptm: 'pptx',
  ppsx: 'pptx',
  xlsm: 'xlsx',
};
/**
 * The extensions that a document type may contain. Other extensions are ignored, because a site could invent
 * any number of them and so enlarge the column of types.
 */
const ENDINGS: ReadonlySet<string> = new Set(
  `html md txt rst adoc org tex log pdf ps djvu epub doc docx odt rtf xls xlsx ods csv tsv ppt pptx odp xml rss atom rdf svg
  json jsonl yaml toml ini php asp aspx jsp cgi pl py js mjs ts css c h cc cpp go rs java rb sh sql diff patch ipynb
  jpg png gif zip gz`.split(/\s+/),
);

/**
 * Returns the type of a document. `ending` is the extension of its URL; it is used only if it is known and
 * differs from the format.
 */
export function documentType(
  format: string,
  kind: DocumentKind | '',
  ending = '',
  rating: Rating | '' = '',
  hasImages = false,
  collections: readonly string[] = [],
): string {
  const named = formatNamed(ending);
  const written = named === format || !ENDINGS.has(named) ? format : `${format}.${named}`;
  const file = hasImages ? `${written}.${WITH_IMAGES}` : written;
  const labels = collections.map((name) => `#${name}`).join('');
  return `${file}${kind === '' ? '' : `/${kind}`}${rating === '' ? '' : `;${rating}`}${labels}`;
}

/** Normalizes the name of a format or an extension: `htm` becomes `html`; `Markdown` becomes `md`. */
export function formatNamed(name: string): string {
  const lower = name.toLowerCase();
  return Object.hasOwn(OTHER_ENDINGS, lower) ? OTHER_ENDINGS[lower]! : lower;
}

export function formatOf(type: string): string {
  return fileOf(type).split('.', 1)[0]!;
}

/**
 * Returns true if a document of this type has the format, either by its content type or by the extension of its
 * URL. The format `document` stands for PDF, office documents and e-books.
 */
export function isOfFormat(type: string, format: string): boolean {
  const formats = fileOf(type).split('.');
  if (format === ANY_DOCUMENT) return formats.some((each) => DOCUMENT_FORMATS.has(each));
  return format !== '' && formats.includes(format);
}

/** Returns the kind of page in a document type, such as `news` in `html/news`, or the empty string. */
export function kindOf(type: string): string {
  const [named] = type.split(/[;#]/, 1);
  return named!.slice(fileOf(type).length + 1);
}

/**
 * Returns true if documents of this type only list other pages or show source code. They rank after other
 * pages.
 */
export function isAuxiliaryType(type: string): boolean {
  const kind = kindOf(type);
  return kind === DocumentKind.listing || kind === DocumentKind.source;
}

/** Returns true if the family filter at this level hides documents of this type. */
export function isHiddenType(type: string, level: FamilyLevel): boolean {
  if (level === 'off') return false;
  const rating = /;([a-z]+)/.exec(type)?.[1];
  return rating === 'adult' || (level === 'strict' && rating === 'mature');
}

/** Returns the names of the collections that have documents of this type. */
export function collectionsOf(type: string): string[] {
  return type.split('#').slice(1);
}

function fileOf(type: string): string {
  return type.split(/[/;#]/, 1)[0]!;
}
