/**
 * Collects the pictures of a page that show something: figures, photographs, diagrams, screenshots.
 *
 * A figure is a `<figure>`, or a block with such a class name: `<div class="figure">`. Its caption is the first
 * `<figcaption>` in it, or the first element with the class `caption` or similar.
 *
 * Decorative pictures are left out: pictures without a caption that have an empty `alt`, a small size, or a
 * file name such as `icon-edit.svg`. Pictures in menus are left out later, when the boilerplate of the page is
 * known. A logo on every page of a site cannot be recognized on one page; searches leave it out.
 */
import type { Image } from '../page.ts';
import { cut, foldSpace } from '../text/mod.ts';
import { Part, type Tag } from './html-tags.ts';
import type { AttributeScanner } from './html-tokens.ts';
import { figurePartOf } from './purpose.ts';

/** A picture as the page declares it. Its offsets are in UTF-16 units of the page's text. */
export interface RawImage {
  src: string;
  /** The value of the attribute `alt`; null if the attribute is missing. */
  alt: string | null;
  title: string;
  at: number;
  figure: Figure | null;
  /** True if the page states a width or height that only pictures of the content have. */
  isLarge: boolean;
}

interface Figure {
  caption: [start: number, end: number] | null;
}

/** The depths of an open figure and of an open caption in it, in the path of open elements. */
interface OpenFigure {
  figure: Figure;
  depth: number;
  captionDepth: number;
  captionStart: number;
}

const MAX_IMAGES = 40;
const MAX_ALT = 300;
const MAX_CAPTION = 400;
/** Pictures that are narrower or lower than this many pixels are decorative. */
const MIN_SIDE = 48;
/** A picture without `alt` text whose stated width or height is at least this many pixels is not decorative. */
const LARGE_SIDE = 200;
const DECORATIVE_NAME =
  /logo|spacer|sprite|(?:^|[^a-z])(?:icons?|header|footer|background|download|pixel|blank|transparent|clear|badges?|buttons?|btn|arrows?|bullets?|avatars?|emoji|smiley|spinner|loading|favicon|flags?|banner|ads?|note|warning|tip|caution|important|callouts?|home|next|prev(?:ious)?|up|toc)(?:[^a-z]|$)/;

/** Matches URLs of pictures in a directory of icons, or with the size of an icon in their name: `save-16.png`. */
const DECORATIVE_PLACE =
  /\/(?:icons?|buttons?|emoticons?|smileys?|logos?|bullets?|flags?|badges?)\/|[-_](?:16|22|24|32|48)(?:x\d\d)?\.\w{3,4}$/i;

/** Matches `alt` texts that say nothing about the picture. Some programs write them. */
const EMPTY_ALT =
  /^[^\p{L}\p{N}]*(?:lost |header )?(?:images?|img|pictures?|photos?|figures?|screenshots?|graphics?|true|false|null)?[^\p{L}\p{N}]*$/iu;

export class ImageCollector {
  readonly images: RawImage[] = [];
  #open: OpenFigure | null = null;

  /** The depth of the open caption, or else of the open figure; 0 if there is none. */
  get innermost(): number {
    return this.#open ? Math.max(this.#open.depth, this.#open.captionDepth) : 0;
  }

  /** Adds a picture, unless it is decorative. `at` is the length of the text before the picture. */
  add(attributes: AttributeScanner, at: number): void {
    if (this.images.length === MAX_IMAGES) return;
    const src = sourceOf(attributes);
    const alt = attributes.get('alt');
    const isLarge = sidesOf(attributes).some((side) => side >= LARGE_SIDE);
    const isUnlabelled = alt?.trim() === '' && this.#open === null && !isLarge;
    if (src === '' || isUnlabelled || isSmall(attributes)) return;
    const role = attributes.get('role');
    if (role === 'presentation' || role === 'none' || attributes.get('aria-hidden') === 'true') return;
    this.images.push({
      src,
      alt,
      title: attributes.get('title') ?? '',
      at,
      figure: this.#open?.figure ?? null,
      isLarge,
    });
  }

  /**
   * Handles the start tag of an element with content, at `depth`, in a place where the text has `units` UTF-16
   * units. A `<figure>` in a figure is a figure of its own, as in a gallery; a block with the class of a
   * figure, inside a figure, is a part of the outer figure.
   */
  enter(tag: Tag, source: Buffer, attributes: AttributeScanner, depth: number, units: number): void {
    const part = this.#partOf(tag, source, attributes);
    if (part === 'figure')
      this.#open = { figure: { caption: null }, depth, captionDepth: 0, captionStart: units };
    else if (part === 'caption' && this.#open && this.#open.captionDepth === 0) {
      this.#open.captionDepth = depth;
      this.#open.captionStart = units;
    }
  }

  /** Handles the end of all elements deeper than `depth`. */
  leave(depth: number, units: number): void {
    const open = this.#open;
    if (!open) return;
    if (open.captionDepth > depth) {
      open.figure.caption ??= [open.captionStart, units];
      open.captionDepth = 0;
    }
    if (open.depth > depth) this.#open = null;
  }

  #partOf(tag: Tag, source: Buffer, attributes: AttributeScanner): 'figure' | 'caption' | null {
    if (tag.part === Part.figure) return 'figure';
    if (tag.part === Part.caption) return 'caption';
    if (this.#open) return figurePartOf(source, attributes) === 'caption' ? 'caption' : null;
    // Outside a figure, a block such as `wp-caption` has the picture together with its caption.
    return tag.name === 'div' && figurePartOf(source, attributes) ? 'figure' : null;
  }
}

/** Returns the URL of the picture; scripts that load pictures late keep it in `data-src`. */
function sourceOf(attributes: AttributeScanner): string {
  const src = attributes.get('data-src') ?? attributes.get('src') ?? '';
  const trimmed = src.trim();
  return /^data:/i.test(trimmed) ? '' : trimmed;
}

function isSmall(attributes: AttributeScanner): boolean {
  return sidesOf(attributes).some((side) => side < MIN_SIDE);
}

/** Returns the stated width and height in pixels. */
function sidesOf(attributes: AttributeScanner): number[] {
  return ['width', 'height'].flatMap((name) => {
    const value = attributes.get(name) ?? '';
    return /^\d+(?:px)?$/.test(value) ? [Number.parseInt(value, 10)] : [];
  });
}

/** Returns the picture with its texts; null if it is decorative or nothing is known about it. */
export function describeImage(raw: RawImage, url: Image['url'], text: string): Image | null {
  const caption = raw.figure?.caption ? foldSpace(text.slice(...raw.figure.caption), MAX_CAPTION) : '';
  const file = fileNameOf(url);
  const alt =
    isFileName(raw.alt ?? '', file) || EMPTY_ALT.test(raw.alt ?? '') ? '' : foldSpace(raw.alt ?? '', MAX_ALT);
  const title = foldSpace(raw.title, MAX_ALT);
  const name = file.words;
  if (caption === '' && raw.alt?.trim() === '' && !raw.isLarge) return null;
  if (caption === '' && (DECORATIVE_NAME.test(file.plain) || DECORATIVE_PLACE.test(url))) return null;
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
  /** The name of the file in lower case, without the extension. */
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

/** Returns true if an `alt` text is the name of the file. Programs write it if the author gives no text. */
function isFileName(alt: string, { plain }: FileName): boolean {
  return (
    alt
      .trim()
      .toLowerCase()
      .replace(/^.*\//, '')
      .replace(/\.\w{1,5}$/, '') === plain
  );
}
