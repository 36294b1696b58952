/**
 * What an element is for, as far as its author gave it away: `role=navigation`, `class="site-footer"`.
 *
 * Roles are a standard and are believed. Names are not: what they suggest is kept apart, and
 * `boilerplate.ts` believes it only of stretches that also read like a menu or are short.
 *
 * Names are compared as hashes of their words, straight from the bytes: most elements have a class,
 * and a string for each would cost more than all else that is done with them.
 */
import { type AttributeScanner, Note } from './html-tokens.ts';

export type Purpose = 'content' | 'navigation' | 'suggested' | null;

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
  'ad ads advert advertisement breadcrumb breadcrumbs consent cookie cookies copyright footer gdpr masthead ' +
  'menu menubar nav navbar navbox navigation newsletter pager pagination promo recommended related share ' +
  'sharing sidebar sidenav skip social sponsor sponsored subscribe toolbar topbar widget widgets';
/** `has-sidebar` and `layout-nav-left` speak of what is elsewhere. */
const REVERSING = 'has with without no layout';

const suggesting = new Set(SUGGESTING.split(' ').map(hashOf));
const reversing = new Set(REVERSING.split(' ').map(hashOf));
/** Whether any such word has a hash with these last ten bits: nearly every other word is told by one look. */
const maybe = new Uint8Array(1024);
for (const hash of [...suggesting, ...reversing]) maybe[hash & 1023] = 1;

export function purposeOf(source: Buffer, attributes: AttributeScanner): Purpose {
  const { notes } = attributes;
  if ((notes & Note.role) !== 0) {
    const purpose = ROLES.get(attributes.get('role')!.trim().toLowerCase());
    if (purpose) return purpose;
  }
  if ((notes & Note.class) !== 0 && suggests(source, attributes.rangeOf('class'))) return 'suggested';
  return (notes & Note.id) !== 0 && suggests(source, attributes.rangeOf('id')) ? 'suggested' : null;
}

/** Whether the words of a name say so. A word is a run of letters; `siteFooter` is two. */
function suggests(source: Buffer, range: [number, number] | null): boolean {
  if (!range) return false;
  let found = false;
  let hash = 0;
  for (let at = range[0]; at <= range[1]; at++) {
    const byte = at < range[1] ? source[at]! : 0;
    const letter = byte | 0x20;
    const isLetter = letter >= 0x61 && letter <= 0x7a;
    if ((!isLetter || byte < 0x61) && hash !== 0) {
      if (maybe[hash & 1023] === 1) {
        if (reversing.has(hash)) return false;
        found ||= suggesting.has(hash);
      }
      hash = 0;
    }
    if (isLetter) hash = step(hash, letter);
  }
  return found;
}

function step(hash: number, letter: number): number {
  return (Math.imul(hash, 31) + letter) | 0;
}

function hashOf(word: string): number {
  return [...word].reduce((hash, letter) => step(hash, letter.charCodeAt(0)), 0);
}
