/** Finds comments and prose in source files and documents, and the phrases that the style guide replaces. */

export interface ReplacedPhrase {
  name: string;
  pattern: RegExp;
}

/** A comment that starts with a clause instead of a noun or a verb. */
const OPENINGS = ['What', 'Who', 'Whose', 'Which', 'Whether', 'Of', 'Where'];

/** Words with a plainer equivalent, which is part of the name. */
const WORDS: readonly [string, RegExp][] = [
  ['anew → again', /\banew\b/i],
  ['lately → recently', /\blately\b/i],
  ['behind → after', /\bbehind (it|them|these|those|the)\b/i],
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
];

export const PHRASES: readonly ReplacedPhrase[] = [
  ...OPENINGS.map((word) => ({
    name: `comment begins with "${word}"`,
    pattern: new RegExp(`^/\\*\\* *${word} `),
  })),
  ...WORDS.map(([name, pattern]) => ({ name, pattern })),
];

/** Returns the comments of a TypeScript file, with their delimiters. */
export function commentsOf(text: string): string[] {
  return Array.from(
    text.matchAll(/^[ \t]*(\/\*\*[\s\S]*?\*\/|(?:\/\/ .*(?:\n[ \t]*(?=\/\/ )|$))+)/gm),
    (match) => match[1]!,
  );
}

/**
 * Returns the lines of comments, or of a document, with their numbers; code blocks of documents are left out.
 */
export function proseLines(file: string, text: string): { line: number; text: string }[] {
  const lines = text.split('\n').map((line, at) => ({ line: at + 1, text: line.trim() }));
  if (!file.endsWith('.md')) return commentLines(lines);
  let isCode = false;
  return lines.filter(({ text: line }) => {
    if (line.startsWith('```')) isCode = !isCode;
    return !isCode;
  });
}

function commentLines(lines: readonly { line: number; text: string }[]): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let isOpen = false;
  for (let at = 0; at < lines.length; at++) {
    const { line, text } = lines[at]!;
    // A lone opener is joined with its first sentence, so that the sentence counts as the beginning.
    if (text === '/**') found.push({ line, text: `/** ${lines[++at]?.text.replace(/^\* ?/, '')}` });
    else if (isOpen || text.startsWith('/**') || text.startsWith('// ')) found.push({ line, text });
    if (text.startsWith('/**')) isOpen = true;
    if (lines[at]?.text.includes('*/')) isOpen = false;
  }
  return found;
}
