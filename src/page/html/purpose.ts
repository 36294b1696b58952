/**
 * Determines the purpose of an element from its role, class names and id: `role=navigation`,
 * `class="site-footer"`, `class="figure"`.
 *
 * Roles are a standard and are trusted. Class names and ids only suggest a purpose; `boilerplate.ts` accepts
 * it only for regions that are short or look like a menu.
 *
 * Names are compared by the hashes of their words, computed from the bytes: most elements have a class, and
 * creating strings for all of them would be slow.
 */
import { type AttributeScanner, Note } from './html-tokens.ts';

type Purpose = 'content' | 'navigation' | 'suggested' | null;

const ROLES: ReadonlyMap<string, Purpose> = new Map<string, Purpose>([
  ['main', 'content'],
  ['navigation', 'navigation'],
  ['banner', 'navigation'],
  ['contentinfo', 'navigation'],
  ['complementary', 'navigation'],
  ['search', 'navigation'],
  ['menu', 'navigation'],
  ['menubar', 'navigation'],
  ['dialog', 'navigation'],
  ['alertdialog', 'navigation'],
]);

const SUGGESTING =
  'ad ads advert advertisement breadcrumb breadcrumbs consent cookie cookies copyright docnav footer gdpr masthead ' +
  'menu menubar nav navbar navbox navfooter navheader navigation navpath newsletter pager pagination prev promo ' +
  'recommended related share sharing sidebar sidenav skip social sponsor sponsored subscribe titlearea toc toolbar ' +
  'topbar widget widgets';
/**
 * Words that give a class name another meaning, as in `has-sidebar` and `layout-nav-left`: the element is not a
 * side bar or a menu itself.
 */
const REVERSING = 'has with without no layout';

/** Words of class names that mark a picture with its caption, as DocBook, Doxygen, Sphinx and MediaWiki write them. */
const FIGURES = 'figure image thumb thumbinner';
/** Words of class names that mark a caption inside a figure. DocBook writes `title`. */
const CAPTIONS = 'caption thumbcaption title';

const Word = { suggesting: 1, reversing: 2, figure: 4, caption: 8 } as const;
const kindsOfWords = new Map<number, number>();
/**
 * A filter that rejects most words with one lookup. It has an entry for each value of the last ten bits of a
 * word's hash, and tells whether a word with this value may be in the table.
 */
const maybe = new Uint8Array(1024);
for (const [kind, words] of [
  [Word.suggesting, SUGGESTING],
  [Word.reversing, REVERSING],
  [Word.figure, FIGURES],
  [Word.caption, CAPTIONS],
] as const) {
  for (const hash of words.split(' ').map(hashOf)) {
    kindsOfWords.set(hash, kind);
    maybe[hash & 1023] = 1;
  }
}

export function purposeOf(source: Buffer, attributes: AttributeScanner): Purpose {
  const { notes } = attributes;
  if ((notes & Note.role) !== 0) {
    const purpose = ROLES.get(attributes.get('role')!.trim().toLowerCase());
    if (purpose) return purpose;
  }
  if ((notes & Note.class) !== 0 && suggests(source, attributes.rangeOf('class'))) return 'suggested';
  return (notes & Note.id) !== 0 && suggests(source, attributes.rangeOf('id')) ? 'suggested' : null;
}

function suggests(source: Buffer, range: [number, number] | null): boolean {
  const kinds = kindsOfNames(source, range);
  return (kinds & Word.suggesting) !== 0 && (kinds & Word.reversing) === 0;
}

/** Returns the role of an element in a figure, by its class names; null if they name none. */
export function figurePartOf(source: Buffer, attributes: AttributeScanner): 'figure' | 'caption' | null {
  if ((attributes.notes & Note.class) === 0) return null;
  const kinds = kindsOfNames(source, attributes.rangeOf('class'));
  if ((kinds & Word.caption) !== 0) return 'caption';
  return (kinds & Word.figure) === 0 ? null : 'figure';
}

/**
 * Returns the kinds of the words in a class name or id, as bits. A word is a run of letters; `siteFooter` has two
 * words.
 */
function kindsOfNames(source: Buffer, range: [number, number] | null): number {
  if (!range) return 0;
  let kinds = 0;
  let hash = 0;
  for (let at = range[0]; at <= range[1]; at++) {
    const byte = at < range[1] ? source[at]! : 0;
    const letter = byte | 0x20;
    const isLetter = letter >= 0x61 && letter <= 0x7a;
    if ((!isLetter || byte < 0x61) && hash !== 0) {
      if (maybe[hash & 1023] === 1) kinds |= kindsOfWords.get(hash) ?? 0;
      hash = 0;
    }
    if (isLetter) hash = step(hash, letter);
  }
  return kinds;
}

function step(hash: number, letter: number): number {
  return (Math.imul(hash, 31) + letter) | 0;
}

function hashOf(word: string): number {
  return [...word].reduce((hash, letter) => step(hash, letter.charCodeAt(0)), 0);
}
