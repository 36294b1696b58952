/**
 * Collects the pictures of a page that show something: figures, photographs, diagrams, screenshots.
 *
 * Decorative pictures are left out: those with an empty `alt`, a small size, or a file name such as `icon-edit.svg`,
 * unless a caption belongs to them. Pictures in menus are left out later, when the boilerplate of the page is known.
 * A logo on every page of a site cannot be recognized on one page; searches leave it out.
 */
import type { Image } from '../page.ts';
import { cut, foldSpace } from '../text/mod.ts';
import type { AttributeScanner } from './html-tokens.ts';

/** A picture as written; the offsets are in UTF-16 units of the page's text. */
export interface RawImage {
  src: string;
  /** Null if the attribute is missing. */
  alt: string | null;
  title: string;
  at: number;
  figure: Figure | null;
}

interface Figure {
  caption: [start: number, end: number] | null;
}

const MAX_IMAGES = 40;
const MAX_ALT = 300;
const MAX_CAPTION = 400;
/** Pictures that are narrower or lower than this many pixels are decorative. */
const MIN_SIDE = 48;
const DECORATIVE_NAME =
  /logo|spacer|sprite|(?:^|[^a-z])(?:icons?|header|footer|background|download|pixel|blank|transparent|clear|badges?|buttons?|btn|arrows?|bullets?|avatars?|emoji|smiley|spinner|loading|favicon|flags?|banner|ads?|note|warning|tip|caution|important|callouts?|home|next|prev(?:ious)?|up|toc)(?:[^a-z]|$)/;

/** Texts that say nothing about the picture; some programs write them into `alt`. */
const EMPTY_ALT =
  /^[^\p{L}\p{N}]*(?:lost |header )?(?:images?|img|pictures?|photos?|figures?|screenshots?|graphics?|true|false|null)?[^\p{L}\p{N}]*$/iu;

export class ImageCollector {
  readonly images: RawImage[] = [];
  #figure: Figure | null = null;
  #captionStart = -1;

  /** `at` is the length of the text before the picture. */
  add(attributes: AttributeScanner, at: number): void {
    if (this.images.length === MAX_IMAGES) return;
    const src = sourceOf(attributes);
    const alt = attributes.get('alt');
    const isUnlabelled = alt?.trim() === '' && this.#figure === null;
    if (src === '' || isUnlabelled || isSmall(attributes)) return;
    const role = attributes.get('role');
    if (role === 'presentation' || role === 'none' || attributes.get('aria-hidden') === 'true') return;
    this.images.push({ src, alt, title: attributes.get('title') ?? '', at, figure: this.#figure });
  }

  openFigure(): void {
    this.#figure = { caption: null };
  }

  closeFigure(): void {
    this.#figure = null;
    this.#captionStart = -1;
  }

  openCaption(at: number): void {
    this.#captionStart = at;
  }

  closeCaption(at: number): void {
    if (this.#figure && this.#captionStart >= 0) this.#figure.caption ??= [this.#captionStart, at];
    this.#captionStart = -1;
  }
}

/** Returns the URL of the picture; scripts that load pictures late keep it in `data-src`. */
function sourceOf(attributes: AttributeScanner): string {
  const src = attributes.get('data-src') ?? attributes.get('src') ?? '';
  const trimmed = src.trim();
  return /^data:/i.test(trimmed) ? '' : trimmed;
}

function isSmall(attributes: AttributeScanner): boolean {
  return ['width', 'height'].some((name) => {
    const value = attributes.get(name) ?? '';
    return /^\d+(?:px)?$/.test(value) && Number.parseInt(value, 10) < MIN_SIDE;
  });
}

/** Describes a picture; null if it is decorative or nothing is known about it. */
export function describeImage(raw: RawImage, url: Image['url'], text: string): Image | null {
  const caption = raw.figure?.caption ? foldSpace(text.slice(...raw.figure.caption), MAX_CAPTION) : '';
  const file = fileNameOf(url);
  const alt =
    isFileName(raw.alt ?? '', file) || EMPTY_ALT.test(raw.alt ?? '') ? '' : foldSpace(raw.alt ?? '', MAX_ALT);
  const title = foldSpace(raw.title, MAX_ALT);
  const name = file.words;
  if (caption === '' && DECORATIVE_NAME.test(file.plain)) return null;
  if (alt === '' && caption === '' && title === '' && !/\p{L}{3}/u.test(name)) return null;
  return {
    url,
    at: raw.at,
    ...(alt !== '' && { alt }),
    ...(caption !== '' && { caption }),
    ...(title !== '' && title !== alt && { title }),
  };
}

interface FileName {
  /** In lower case, without the extension. */
  plain: string;
  words: string;
}

function fileNameOf(url: string): FileName {
  const [path = ''] = url.split(/[?#]/, 1);
  const plain = cut(path.slice(path.lastIndexOf('/') + 1), 100)
    .replace(/\.\w{1,5}$/, '')
    .toLowerCase();
  return { plain, words: plain.replaceAll(/%[\da-f]{2}|[^\p{L}\p{N}]+/giu, ' ').trim() };
}

/** Programs write the name of the file into `alt` if the author gives no text. */
function isFileName(alt: string, { plain }: FileName): boolean {
  return (
    alt
      .trim()
      .toLowerCase()
      .replace(/^.*\//, '')
      .replace(/\.\w{1,5}$/, '') === plain
  );
}
