/**
 * Finds prose in the project: comments, documents, UI messages, help, error and log texts, and test names. Also
 * lists the phrases that the style guide replaces.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The number of replaced phrases that the tree must stay below. */
export const MAX_PHRASES = 10;

export interface ReplacedPhrase {
  name: string;
  pattern: RegExp;
}

export interface ProseLine {
  line: number;
  text: string;
}

/** Words with which no comment or test name should start, because they begin a subordinate clause. */
const OPENINGS = ['What', 'Who', 'Whose', 'Which', 'Whether', 'Of', 'Where'];

/** The words to replace, as patterns. The name of each entry contains the plainer word. */
const WORDS: readonly [string, RegExp][] = [
  ['anew → again', /\banew\b/i],
  ['lately → recently', /\blately\b/i],
  ['behind → after', /\bbehind (it|them|these|those|the)\b(?! same HTTP)/i],
  ['so many → n', /\bso many\b/i],
  ['go on → continue', /\b(go|goes|went|going) on\b/i],
  ['mend → fix', /\bmend(s|ed|ing)?\b/i],
  ['nobody, somebody, whoever → name the caller', /\b(nobody|somebody|whoever|whomever)\b/i],
  ['in the way → errors', /\bin the way\b(?! (that|in|of|to))/i],
  ['asked now → in flight', /\basked now\b/i],
  ['stands in → is in', /\bstands? in\b/i],
  ['is told → receives', /\b(is|are) told\b/i],
  ['dear → expensive', /\bdear(er|est)?\b/i],
  ['what nobody uses → unused', /\bany more\b/i],
  ['set aside → parked', /\bhosts? (is|are|was|were)? ?set aside\b/i],
  ['says so → reports it', /\b(and|to) says? so\b/i],
];

export const PHRASES: readonly ReplacedPhrase[] = [
  ...OPENINGS.map((word) => ({
    name: `comment begins with "${word}"`,
    pattern: new RegExp(`^/\\*\\* *${word} `),
  })),
  ...OPENINGS.map((word) => ({
    name: `test name begins with "${word}"`,
    pattern: new RegExp(`^test: ${word} `, 'i'),
  })),
  ...WORDS.map(([name, pattern]) => ({ name, pattern })),
];

const TEST_FILE = /(\.(test|fixture)\.ts$)|^(test|bench)\//;
const TEST_NAME = /^(?:await )?(?:\w+\.)?(?:test|it|describe)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/;
/** Matches a string literal. A literal with three words or more counts as a text that people read. */
const TEXT = /(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const THREE_WORDS = /[a-z]{2,} [a-z]+ [a-z]+/i;

/** Returns true if the prose of a file is checked. UI messages are checked only in English. */
export function hasProse(file: string): boolean {
  return /\.(ts|md)$/.test(file) || /\/messages\/en\.json$/.test(file);
}

/** Returns the comments of a TypeScript file, with their delimiters. */
export function commentsOf(text: string): string[] {
  return Array.from(
    text.matchAll(/^[ \t]*(\/\*\*[\s\S]*?\*\/|(?:\/\/ .*(?:\n[ \t]*(?=\/\/ )|$))+)/gm),
    (match) => match[1]!,
  );
}

/**
 * Returns the lines with prose and their numbers. In a document these are all lines outside of code blocks, in
 * a message file all lines, and in a TypeScript file its comments, and its test names (in a test file) or its
 * texts for people (in other files).
 */
export function proseLines(file: string, text: string): ProseLine[] {
  const lines = text.split('\n').map((line, at) => ({ line: at + 1, text: line.trim() }));
  if (file.endsWith('.json')) return lines;
  if (file.endsWith('.ts')) {
    const others = TEST_FILE.test(file) ? testNames(lines) : textLines(lines);
    return [...commentLines(lines), ...others];
  }
  let isCode = false;
  return lines.filter(({ text: line }) => {
    if (line.startsWith('```')) isCode = !isCode;
    return !isCode;
  });
}

/** Returns the test names. Each begins with `test: `, so that a phrase can be limited to test names. */
function testNames(lines: readonly ProseLine[]): ProseLine[] {
  return lines.flatMap(({ line, text }) => {
    const name = TEST_NAME.exec(text)?.[2];
    return name === undefined ? [] : [{ line, text: `test: ${name}` }];
  });
}

function textLines(lines: readonly ProseLine[]): ProseLine[] {
  return lines.flatMap(({ line, text }) => {
    if (/^(\*|\/\*|\/\/)/.test(text)) return [];
    const texts = Array.from(text.matchAll(TEXT), (match) => match[2]!).filter((found) =>
      THREE_WORDS.test(found),
    );
    return texts.length === 0 ? [] : [{ line, text: texts.join(' / ') }];
  });
}

function commentLines(lines: readonly ProseLine[]): ProseLine[] {
  const found: ProseLine[] = [];
  let isOpen = false;
  for (let at = 0; at < lines.length; at++) {
    const { line, text } = lines[at]!;
    // A line with only the opener `/**` is joined with the next line, so that the first sentence counts as the
    // beginning.
    if (text === '/**') found.push({ line, text: `/** ${lines[++at]?.text.replace(/^\* ?/, '')}` });
    else if (isOpen || text.startsWith('/**') || text.startsWith('// ')) found.push({ line, text });
    if (text.startsWith('/**')) isOpen = true;
    if (lines[at]?.text.includes('*/')) isOpen = false;
  }
  return found;
}

/** Files that are not checked, because they contain the phrases as data. */
const OWN_FILES = ['scripts/prose.ts', 'scripts/prose.test.ts'];

export interface TreeProse {
  fileCount: number;
  /** The comments of all source files, each after a line with the name of its file. */
  comments: string[];
  /** The places of each phrase, as `file:line`. */
  places: Map<string, string[]>;
  /** The number of all places. */
  total: number;
}

/** Reads the comments and the replaced phrases of the whole tree. */
export function readTreeProse(root: string): TreeProse {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed
    .split('\n')
    .filter((file) => hasProse(file) && !OWN_FILES.includes(file) && existsSync(join(root, file)));
  const comments: string[] = [];
  const places = new Map<string, string[]>(PHRASES.map(({ name }) => [name, []]));
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    if (file.endsWith('.ts')) comments.push(...commentsOf(text).map((comment) => `${file}\n${comment}`));
    for (const { line, text: prose } of proseLines(file, text)) {
      for (const { name, pattern } of PHRASES) {
        if (pattern.test(prose)) places.get(name)!.push(`${file}:${line}`);
      }
    }
  }
  const total = [...places.values()].reduce((sum, found) => sum + found.length, 0);
  return { fileCount: files.length, comments, places, total };
}
