/**
 * Determines the purpose of an element from its role, class names and id: `role=navigation`,
 * `class="site-footer"`.
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
/** Words that make a class name refer to other elements, as in `has-sidebar` and `layout-nav-left`. */
const REVERSING = 'has with without no layout';

const suggesting = new Set(SUGGESTING.split(' ').map(hashOf));
const reversing = new Set(REVERSING.split(' ').map(hashOf));
/**
 * A filter by the last ten bits of the hash of a word. It rejects nearly all words that suggest nothing with
 * one lookup.
 */
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

/**
 * Returns true if the words of a class name or id suggest boilerplate. A word is a run of letters;
 * `siteFooter` has two words.
 */
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
