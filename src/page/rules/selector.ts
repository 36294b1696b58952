/**
 * CSS selectors, as far as rules need them: tags, `*`, `#id`, `.class`, attributes (`[a]`, `[a=b]`, `~=`, `^=`, `$=`, `*=`,
 * `|=`), `:first-child`, `:last-child`, `:only-child`, `:nth-child(…)`, `:not(…)`, the combinators ` `, `>`, `+`, `~`, and
 * lists with commas. `.` alone and an empty selector are the element itself.
 *
 * An element is tested from right to left, with all ancestors tried for a space. A selector has at most MAX_STEPS
 * steps, so a test costs at most the depth of the element to that power; in practice it is a few comparisons.
 */
import { descendantsOf, type PageElement } from './page-tree.ts';

type Test = (element: PageElement) => boolean;
type Combinator = ' ' | '>' | '+' | '~';

interface Step {
  test: Test;
  /** How the element of this step relates to that of the step before. */
  combinator: Combinator;
}

export interface Selector {
  readonly text: string;
  /** The alternatives; null for the element itself. */
  readonly paths: readonly (readonly Step[])[] | null;
}

const MAX_STEPS = 6;
const NAME = String.raw`-?(?:[A-Za-z_\u0080-\uffff]|\\.)(?:[\w\u0080-\uffff-]|\\.)*`;
const SIMPLE = new RegExp(
  [
    String.raw`(?<tag>${NAME}|\*)`,
    `#(?<id>${NAME})`,
    String.raw`\.(?<class>${NAME})`,
    String.raw`\[\s*(?<attribute>[\w:-]+)\s*(?:(?<operator>[~^$*|]?=)\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s\]"']+))\s*)?\]`,
    String.raw`:(?<pseudo>first-child|last-child|only-child)\b`,
    String.raw`:nth-child\(\s*(?<nth>[^)]{1,20})\)`,
    String.raw`:not\(\s*(?<not>[^()]{1,100})\)`,
  ].join('|'),
  'y',
);

/** Parses a selector. Throws an Error that says what is wrong with it. */
export function parseSelector(text: string): Selector {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === '.') return { text: '.', paths: null };
  return { text: trimmed, paths: splitList(trimmed).map((path) => parsePath(path)) };
}

/** Splits a list at the commas that are not in brackets, parentheses or quotes. */
function splitList(text: string): string[] {
  return text.match(/(?:[^,"'[(]|"[^"]*"|'[^']*'|\[[^\]]*\]|\([^)]*\)|["'[(])+/g) ?? [];
}

function parsePath(path: string): Step[] {
  const text = path.trim();
  const steps: Step[] = [];
  let combinator: Combinator = ' ';
  for (let at = 0; at < text.length; ) {
    const { test, end } = parseCompound(text, at);
    steps.push({ test, combinator });
    const between = /\s*([>+~])\s*|\s+/y;
    between.lastIndex = end;
    const found = between.exec(text);
    if (!found && end < text.length) throw new Error(`"${text.slice(end, end + 20)}" is not a selector`);
    combinator = (found?.[1] ?? ' ') as Combinator;
    at = found ? between.lastIndex : end;
    if (found && at === text.length) throw new Error(`"${text}" ends with a combinator`);
  }
  if (steps.length === 0) throw new Error('a selector of the list is empty');
  if (steps.length > MAX_STEPS) throw new Error(`"${text}" has more than ${MAX_STEPS} steps`);
  return steps;
}

function parseCompound(text: string, from: number): { test: Test; end: number } {
  const tests: Test[] = [];
  let at = from;
  for (;;) {
    SIMPLE.lastIndex = at;
    const found = SIMPLE.exec(text);
    if (!found || (found.groups!.tag !== undefined && at > from)) break;
    at = SIMPLE.lastIndex;
    tests.push(testOf(found.groups!));
  }
  if (at === from) throw new Error(`"${text.slice(from, from + 20)}" is not a selector`);
  return { test: (element) => tests.every((test) => test(element)), end: at };
}

function testOf(groups: Record<string, string | undefined>): Test {
  const { tag, id, class: name, attribute, operator, pseudo, nth, not } = groups;
  if (tag !== undefined) {
    const wanted = plain(tag).toLowerCase();
    return wanted === '*' ? () => true : (element) => element.name === wanted;
  }
  if (id !== undefined) return (element) => element.attributes.get('id') === plain(id);
  if (name !== undefined) return (element) => tokensOf(element, 'class').includes(plain(name));
  if (attribute !== undefined) {
    const value = groups.double ?? groups.single ?? groups.bare ?? '';
    return attributeTest(attribute.toLowerCase(), operator ?? '', value);
  }
  if (not !== undefined) {
    const { test, end } = parseCompound(not, 0);
    if (not.slice(end).trim() !== '') throw new Error(`":not(${not})" may only have one simple selector`);
    return (element) => !test(element);
  }
  return pseudo === undefined ? nthTest(nth!) : positionTest(pseudo);
}

function plain(name: string): string {
  return name.replace(/\\(.)/g, '$1');
}

function tokensOf(element: PageElement, attribute: string): string[] {
  return element.attributes.get(attribute)?.split(/\s+/) ?? [];
}

function attributeTest(name: string, operator: string, wanted: string): Test {
  return (element) => {
    const value = element.attributes.get(name);
    if (value === undefined) return false;
    switch (operator) {
      case '=':
        return value === wanted;
      case '~=':
        return value.split(/\s+/).includes(wanted);
      case '^=':
        return wanted !== '' && value.startsWith(wanted);
      case '$=':
        return wanted !== '' && value.endsWith(wanted);
      case '*=':
        return wanted !== '' && value.includes(wanted);
      case '|=':
        return value === wanted || value.startsWith(`${wanted}-`);
      default:
        return true;
    }
  };
}

function positionTest(pseudo: string): Test {
  return ({ index, parent }) => {
    const count = parent?.children.length ?? 1;
    if (pseudo === 'only-child') return count === 1;
    return pseudo === 'first-child' ? index === 0 : index === count - 1;
  };
}

/** Parses `odd`, `even`, `3`, `2n+1` or `n+2`. */
function nthTest(text: string): Test {
  const formula = text
    .trim()
    .replace(/^odd$/, '2n+1')
    .replace(/^even$/, '2n')
    .replace(/\s+/g, '');
  const match = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(formula);
  if (!match || formula === '')
    throw new Error(`":nth-child(${text})" is not a formula such as 3, odd or 2n+1`);
  const [, factor, offset = '0'] = match;
  const step = factor === undefined ? 0 : Number(/\d/.test(factor) ? factor : `${factor}1`);
  const first = Number(offset);
  return ({ index }) => {
    const distance = index + 1 - first;
    return step === 0 ? distance === 0 : distance % step === 0 && distance / step >= 0;
  };
}

/** Returns the elements inside `root` that match, in document order, at most `limit`. */
export function selectAll({ paths }: Selector, root: PageElement, limit: number): PageElement[] {
  if (paths === null) return [root];
  const found: PageElement[] = [];
  for (const element of descendantsOf(root)) {
    if (paths.some((steps) => matches(element, steps, steps.length - 1, root))) found.push(element);
    if (found.length === limit) break;
  }
  return found;
}

/** Tests the steps up to `last`. The elements of all steps must be inside `root`, or be `root` itself. */
function matches(element: PageElement, steps: readonly Step[], last: number, root: PageElement): boolean {
  const { test, combinator } = steps[last]!;
  if (!test(element)) return false;
  if (last === 0) return combinator === ' ';
  const isBefore = (candidate: PageElement) => matches(candidate, steps, last - 1, root);
  const siblings = element.parent?.children ?? [];
  switch (combinator) {
    case '>':
      return element !== root && element.parent !== null && isBefore(element.parent);
    case '+':
      return element.index > 0 && isBefore(siblings[element.index - 1]!);
    case '~':
      return siblings.slice(0, element.index).some(isBefore);
    default:
      for (let above = element; above !== root && above.parent !== null; above = above.parent) {
        if (isBefore(above.parent)) return true;
      }
      return false;
  }
}
