/**
 * What each HTML element means to a reader of text, as data, and how to find it from its bytes.
 *
 * An element that is not here is inline and of no interest: `foo<x-bar>baz` is the word `foobaz`.
 */
import { MarkKind } from './page.ts';
import { Separator, type Style } from './text-builder.ts';

export const Role = {
  ordinary: 0,
  /** Looks like `style` until its end tag. */
  heading: 1,
  emphasis: 2,
  anchor: 3,
  /** Read for its attributes. */
  area: 4,
  base: 5,
  frame: 6,
  html: 7,
  image: 8,
  link: 9,
  meta: 10,
  /** Contains no markup: all up to its end tag is dropped. */
  raw: 11,
  script: 12,
  /** As raw, and read for its `src`. */
  inlineFrame: 13,
  /** Contains no markup and is shown as it is. */
  verbatim: 14,
  /** The same, to the end of the page. */
  plainText: 15,
  /** Contains characters and references to characters, but no elements. */
  textArea: 16,
  title: 17,
  /** Its markup is read for links, but its text is shown to no one. */
  hidden: 18,
  svg: 19,
  template: 20,
} as const;
export type Role = (typeof Role)[keyof typeof Role];

export interface Tag {
  name: string;
  role: Role;
  /** What its start tag and its end tag put between words. */
  separator: Separator;
  style: Style;
  /** Ends a heading that was begun inside it and never closed. */
  isContainer: boolean;
  /** Never part of a drawing: its start tag ends an `<svg>` that was left open. */
  endsSvg: boolean;
}

const CONTAINERS =
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption ' +
  'figure footer form frameset header hgroup li main menu nav ol search section summary table tbody td tfoot ' +
  'th thead tr ul';
const BLOCKS = `${CONTAINERS} hr html legend listing optgroup option p plaintext pre title xmp`;
const SPACED =
  'area audio br button canvas embed iframe image img input meter object progress rp rt select svg textarea video';

/** From the HTML standard, § 13.2.6.5. */
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
];

const HEADINGS: Record<string, MarkKind> = {
  h1: MarkKind.heading1,
  h2: MarkKind.heading2,
  h3: MarkKind.heading3,
  h4: MarkKind.heading3,
  h5: MarkKind.heading3,
  h6: MarkKind.heading3,
};

const ORDINARY: Tag = describe('');

/** Open addressing; a power of two, about four times as many as there are tags. */
const SLOTS: (Tag | undefined)[] = new Array(512).fill(undefined);
for (const name of allNames()) insert(describe(name));

/** The tag whose name stands in `source`, in any case. */
export function findTag(source: Buffer, from: number, to: number): Tag {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (source[at]! | 0x20)) | 0;
  for (let slot = hash & (SLOTS.length - 1); ; slot = (slot + 1) & (SLOTS.length - 1)) {
    const tag = SLOTS[slot];
    if (tag === undefined) return ORDINARY;
    if (tag.name.length === to - from && isNameAt(source, from, tag.name)) return tag;
  }
}

/** Whether `name`, in lower case, stands at `from` in any case. */
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
  return {
    name,
    role: heading ? Role.heading : roleOf(name),
    separator: separatorOf(name),
    style: heading ?? 0,
    isContainer: has(CONTAINERS, name),
    endsSvg: has(ENDS_SVG, name),
  };
}

function roleOf(name: string): Role {
  return ROLES.find(([, names]) => has(names, name))?.[0] ?? Role.ordinary;
}

function separatorOf(name: string): Separator {
  if (has(BLOCKS, name) || name in HEADINGS) return Separator.newline;
  return has(SPACED, name) ? Separator.space : Separator.none;
}

function has(names: string, name: string): boolean {
  return names.split(' ').includes(name);
}

function allNames(): Set<string> {
  const lists = [BLOCKS, SPACED, ENDS_SVG, ...ROLES.map(([, names]) => names)];
  return new Set([...lists.flatMap((names) => names.split(' ')), ...Object.keys(HEADINGS)]);
}

function insert(tag: Tag): void {
  let hash = 0;
  for (let i = 0; i < tag.name.length; i++)
    hash = (Math.imul(hash, 31) + (tag.name.charCodeAt(i) | 0x20)) | 0;
  let slot = hash & (SLOTS.length - 1);
  while (SLOTS[slot] !== undefined) slot = (slot + 1) & (SLOTS.length - 1);
  SLOTS[slot] = tag;
}
