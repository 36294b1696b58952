/**
 * Describes how each HTML element affects the text, as data, and finds the description from the bytes of a tag
 * name.
 *
 * An element that is not listed is inline and has no effect: `foo<x-bar>baz` is the word `foobaz`.
 */
import { MarkKind } from '../page.ts';
import { Separator, type Style } from '../text/mod.ts';

export const Role = {
  ordinary: 0,
  /** The role of headings and emphasis. The field `style` of the tag has the style of their text. */
  heading: 1,
  emphasis: 2,
  anchor: 3,
  /** The role of elements of which only the attributes are read. */
  area: 4,
  base: 5,
  frame: 6,
  html: 7,
  image: 8,
  link: 9,
  meta: 10,
  time: 11,
  /** The role of elements whose content is not markup and is dropped up to the end tag. */
  raw: 12,
  script: 13,
  /** The same as `raw`, but the attribute `src` of the element is read as a link. */
  inlineFrame: 14,
  /** The role of elements whose content is not markup, but text up to the end tag. */
  verbatim: 15,
  /** The same as `verbatim`, but the text continues to the end of the page. */
  plainText: 16,
  /** The role of elements whose content is text with character references, but without elements. */
  textArea: 17,
  title: 18,
  /** The role of elements whose content is read for links, but whose text is hidden. */
  hidden: 19,
  svg: 20,
  template: 21,
  /** The role of blocks of code, whose content is markup. */
  code: 22,
} as const;
export type Role = (typeof Role)[keyof typeof Role];

/** The region of the page that an element declares by its name, for example `<nav>` or `<figure>`. */
export const Part = {
  none: 0,
  /** The element is boilerplate everywhere: `<nav>`. */
  navigation: 1,
  /** The element is boilerplate outside the content: `<header>` and `<footer>`. */
  edge: 2,
  article: 3,
  main: 4,
  figure: 5,
  caption: 6,
} as const;
export type Part = (typeof Part)[keyof typeof Part];

/**
 * Bits for groups of elements whose end tag may be left out. The start tag of one element can end an open
 * element of a group, as `<li>` ends `<li>`.
 */
const Kin = { paragraph: 1, item: 2, term: 4, cell: 8, row: 16, rows: 32, option: 64 } as const;

export interface Tag {
  name: string;
  role: Role;
  /** The separator that the start tag and the end tag insert between words. */
  separator: Separator;
  style: Style;
  part: Part;
  /** True if the element has an end tag and its content is markup. */
  nests: boolean;
  /**
   * True for a block that contains other blocks. The end tag of an inline element inside it does not close
   * elements outside it.
   */
  isContainer: boolean;
  /**
   * True for a part of a table. The end tag of another element inside it does not close elements outside it.
   */
  isTablePart: boolean;
  /** `kin` is the group of the element, and `ends` are the groups that its start tag ends. */
  kin: number;
  ends: number;
  /** True if the element never occurs in a drawing. Its start tag ends an unclosed `<svg>`. */
  endsSvg: boolean;
}

const TABLE = 'caption table tbody td tfoot th thead tr';
const CONTAINERS =
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption ' +
  'figure footer form frameset header hgroup li main menu nav ol search section summary ul ' +
  TABLE;
const BLOCKS = `${CONTAINERS} hr html legend listing optgroup option p plaintext pre title xmp`;
const SPACED =
  'area audio br button canvas embed iframe image img input meter object progress rp rt select svg textarea video';
const INLINE =
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q ruby s samp small ' +
  'span strike strong sub sup time tt u var';
const VOID = 'area base br col embed frame hr image img input link meta param source track wbr';

/** The names of elements that end an unclosed `<svg>` (HTML standard, § 13.2.6.5). */
const ENDS_SVG =
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu ' +
  'meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var';

const ROLES: [Role, string][] = [
  [Role.emphasis, 'b strong em i mark'],
  [Role.anchor, 'a'],
  [Role.area, 'area'],
  [Role.base, 'base'],
  [Role.frame, 'frame'],
  [Role.html, 'html'],
  [Role.image, 'img image'],
  [Role.link, 'link'],
  [Role.meta, 'meta'],
  [Role.time, 'time'],
  [Role.raw, 'noembed noframes style'],
  [Role.script, 'script'],
  [Role.inlineFrame, 'iframe'],
  [Role.verbatim, 'xmp'],
  [Role.textArea, 'textarea'],
  [Role.plainText, 'plaintext'],
  [Role.title, 'title'],
  [Role.hidden, 'annotation annotation-xml audio canvas datalist noscript video'],
  [Role.svg, 'svg'],
  [Role.template, 'template'],
  [Role.code, 'pre'],
];

const PARTS: [Part, string][] = [
  [Part.navigation, 'nav menu search dialog select'],
  [Part.edge, 'header footer aside'],
  [Part.article, 'article'],
  [Part.main, 'main'],
  [Part.figure, 'figure'],
  [Part.caption, 'figcaption'],
];

const KIN: [number, string][] = [
  [Kin.paragraph, 'p'],
  [Kin.item, 'li'],
  [Kin.term, 'dt dd'],
  [Kin.cell, 'td th'],
  [Kin.row, 'tr'],
  [Kin.rows, 'tbody thead tfoot'],
  [Kin.option, 'option'],
];

/** The groups that a start tag of each group ends. In addition, every block ends a paragraph. */
const ENDED: [number, number][] = [
  [Kin.item, Kin.item],
  [Kin.term, Kin.term],
  [Kin.cell, Kin.cell],
  [Kin.row, Kin.cell | Kin.row],
  [Kin.rows, Kin.cell | Kin.row | Kin.rows],
  [Kin.option, Kin.option],
];

const HEADINGS: Record<string, MarkKind> = {
  h1: MarkKind.heading1,
  h2: MarkKind.heading2,
  h3: MarkKind.heading3,
  h4: MarkKind.heading4,
  h5: MarkKind.heading5,
  h6: MarkKind.heading6,
};

/** 1 for each byte that ends the name of a tag: white space, `/` and `>`. */
const ENDS_NAME = new Uint8Array(256);
for (const byte of Buffer.from(' \t\n\f\r/>')) ENDS_NAME[byte] = 1;

const ORDINARY: Tag = { ...describe(''), nests: false };

/**
 * A hash table of tags with open addressing. Its size is a power of two, about four times the number of tags.
 */
const SLOTS: (Tag | undefined)[] = new Array(1024).fill(undefined);
for (const name of allNames()) insert(describe(name));

/** Finds a tag by its name. A name ends at white space, a slash or the end of the tag. */
export class TagFinder {
  /** The position after the name that was found last. */
  end = 0;

  /** Returns the tag whose name begins at `from`. Upper and lower case are equal. */
  find(source: Buffer, from: number): Tag {
    const length = source.length;
    let hash = 0;
    let at = from;
    for (; at < length; at++) {
      const byte = source[at]!;
      if (ENDS_NAME[byte] === 1) break;
      hash = (Math.imul(hash, 31) + (byte | 0x20)) | 0;
    }
    this.end = at;
    for (let slot = hash & (SLOTS.length - 1); ; slot = (slot + 1) & (SLOTS.length - 1)) {
      const tag = SLOTS[slot];
      if (tag === undefined) return ORDINARY;
      if (tag.name.length === at - from && isNameAt(source, from, tag.name)) return tag;
    }
  }
}

/**
 * Returns true if `name` is at `from` in the source. Upper and lower case are equal; `name` is in lower case.
 */
export function isNameAt(source: Buffer, from: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const byte = source[from + i]!;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (lower !== name.charCodeAt(i)) return false;
  }
  return true;
}

function describe(name: string): Tag {
  const heading = HEADINGS[name];
  const role = heading ? Role.heading : (rowOf(ROLES, name) ?? Role.ordinary);
  const separator = separatorOf(name);
  const kin = rowOf(KIN, name) ?? 0;
  const endsParagraph = separator === Separator.newline ? Kin.paragraph : 0;
  return {
    name,
    role,
    separator,
    style: heading ?? 0,
    part: rowOf(PARTS, name) ?? Part.none,
    nests: !has(VOID, name) && (role < Role.raw || role === Role.svg || role === Role.code),
    isContainer: has(CONTAINERS, name),
    isTablePart: has(TABLE, name),
    kin,
    ends: endsParagraph | (ENDED.find(([of]) => of === kin)?.[1] ?? 0),
    endsSvg: has(ENDS_SVG, name),
  };
}

function separatorOf(name: string): Separator {
  if (has(BLOCKS, name) || name in HEADINGS) return Separator.newline;
  return has(SPACED, name) ? Separator.space : Separator.none;
}

function rowOf<Value>(rows: readonly [Value, string][], name: string): Value | undefined {
  return rows.find(([, names]) => has(names, name))?.[0];
}

function has(names: string, name: string): boolean {
  return names.split(' ').includes(name);
}

function allNames(): Set<string> {
  const lists = [BLOCKS, SPACED, INLINE, VOID, ENDS_SVG, ...ROLES.map(([, names]) => names)];
  const names = new Set([...lists.flatMap((list) => list.split(' ')), ...Object.keys(HEADINGS)]);
  names.delete('head');
  return names;
}

function insert(tag: Tag): void {
  let hash = 0;
  for (let i = 0; i < tag.name.length; i++)
    hash = (Math.imul(hash, 31) + (tag.name.charCodeAt(i) | 0x20)) | 0;
  let slot = hash & (SLOTS.length - 1);
  while (SLOTS[slot] !== undefined) slot = (slot + 1) & (SLOTS.length - 1);
  SLOTS[slot] = tag;
}
