/**
 * Splits a typed query into tokens: words, quoted phrases, parentheses, operators.
 *
 * The tokenizer never fails. An unclosed quote, an unbalanced parenthesis and an operator without operands become
 * `plain` tokens, which the parser reads as words and reports in a note.
 */

/** A token of a query. `sign` is the plus or minus directly before the token, or empty. */
export type Token =
  | { kind: 'run'; sign: Sign; value: string; text: string }
  | { kind: 'phrase'; sign: Sign; field: string; value: string; text: string }
  | { kind: 'open'; sign: Sign; text: string }
  | { kind: 'close'; text: string }
  | { kind: 'and' | 'or' | 'not'; text: string }
  | { kind: 'near'; distance: number; text: string }
  | { kind: 'plain'; text: string };

type Sign = '' | '+' | '-';

/** The maximum nesting depth of parentheses in a query; deeper parentheses are ignored. */
export const MAX_QUERY_NESTING = 16;
/** The maximum distance n of the operator `NEAR/n`, in words. */
const MAX_DISTANCE = 100;

/**
 * Matches one piece of a query: a quoted phrase, optionally with a field; an unclosed quote; opening parentheses
 * before a phrase; or a run of characters without spaces and quotes.
 */
const PIECE = /([+-]?)(?:([a-z]+):)?"([^"]*)"|[+-]?"|(?:[+-]?\()+(?=[+-]?(?:[a-z]+:)?")|[^\s"]+/gi;

interface Tokens {
  tokens: Token[];
  /** True if parentheses were ignored because they were nested too deep. */
  isTooDeep: boolean;
}

export function tokenizeQuery(query: string, isField: (name: string) => boolean): Tokens {
  const raw: Token[] = [];
  addPieces(raw, query.replace(/[“”„]/g, '"'), isField);
  const { tokens, isTooDeep } = withTwins(raw);
  return { tokens: withOperands(tokens), isTooDeep };
}

function addPieces(out: Token[], query: string, isField: (name: string) => boolean): void {
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(query); match; match = PIECE.exec(query)) {
    const [text, sign = '', name = '', value] = match;
    if (value === undefined) {
      if (text.endsWith('"')) {
        out.push({ kind: 'plain', text: query.slice(match.index).trim() });
        return;
      }
      addRun(out, text);
      continue;
    }
    const field = name.toLowerCase();
    if (field === '' || isField(field)) {
      out.push({ kind: 'phrase', sign: sign as Sign, field, value, text });
    } else {
      out.push({ kind: 'run', sign: sign as Sign, value: name, text: `${sign}${name}` });
      out.push({ kind: 'phrase', sign: '', field: '', value, text: `"${value}"` });
    }
  }
}

/**
 * Adds the tokens of a run of characters without spaces. Parentheses at its beginning or end, as in `(a` and `b)`,
 * are for grouping; those in `f(x)` belong to the word.
 */
function addRun(out: Token[], run: string): void {
  if (!run.includes('(') && !run.includes(')')) {
    out.push(operatorOf(run) ?? runOf(run, out.at(-1)));
    return;
  }
  let rest = run;
  for (let open = /^([+-]?)\(/.exec(rest); open; open = /^([+-]?)\(/.exec(rest)) {
    out.push({ kind: 'open', sign: open[1] as Sign, text: open[0] });
    rest = rest.slice(open[0].length);
  }
  const closes = Math.min(trailing(rest), Math.max(0, count(rest, ')') - count(rest, '(')));
  const value = withoutLoose(rest.slice(0, rest.length - closes));
  if (value !== '') out.push(operatorOf(value) ?? runOf(value, out.at(-1)));
  for (let i = 0; i < closes; i++) out.push({ kind: 'close', text: ')' });
}

function runOf(text: string, before: Token | undefined): Token {
  const isAfterCommand = before?.kind === 'run' && COMMANDS.has(before.value);
  const sign = /^[+-]/.test(text) && !isOption(text, isAfterCommand) ? (text[0] as Sign) : '';
  return { kind: 'run', sign, value: text.slice(sign.length), text };
}

/**
 * Commands with options of more than two letters, such as `gcc -Wall` and `tar -xzf`. After them, more words with a
 * minus are read as options than elsewhere.
 */
const COMMANDS: ReadonlySet<string> = new Set(
  'cc clang clang++ curl g++ gcc java javac ls netstat ps rpm rsync tar unzip zip'.split(' '),
);

/**
 * Returns true if a word with a minus is an option of a command, as in `rebase -i` and `gcc -O2 --help`, and false
 * if it is a word to exclude, as in `jaguar -car`. A word of three or more letters is to be excluded unless it is
 * spelled like an option: it is an assignment or ends in capitals; or, after the name of a command, begins with a
 * capital or has no vowel.
 */
export function isOption(text: string, isAfterCommand: boolean): boolean {
  const word = text.slice(1);
  if (/^-+[a-z]/i.test(word) || /^\w+=/.test(word)) return true;
  if (/^(?:[a-z\d]{1,2}|[a-z]\d+|(?:webkit|moz|ms)-.*)$/i.test(word) || /^[a-z]+[A-Z]+$/.test(word))
    return true;
  return isAfterCommand && /^(?:[A-Z][a-z].*|[b-df-hj-np-tvwxz]{3,5})$/.test(word);
}

function operatorOf(run: string): Token | null {
  if (run === 'AND' || run === 'OR' || run === 'NOT') {
    return { kind: run.toLowerCase() as 'and' | 'or' | 'not', text: run };
  }
  if (!run.startsWith('NEAR/')) return null;
  const distance = Number(/^NEAR\/(\d{1,3})$/.exec(run)?.[1] ?? 0);
  return distance >= 1 && distance <= MAX_DISTANCE
    ? { kind: 'near', distance, text: run }
    : { kind: 'plain', text: run };
}

/**
 * Replaces unbalanced parentheses inside a word by dots. A dot separates words just as a parenthesis does, but is
 * not taken for a grouping parenthesis.
 */
function withoutLoose(word: string): string {
  return isPaired(word) ? word : word.replace(/[()]/g, '.');
}

function isPaired(word: string): boolean {
  let depth = 0;
  for (const character of word) {
    if (character === '(') depth++;
    else if (character === ')' && --depth < 0) return false;
  }
  return depth === 0;
}

function trailing(run: string): number {
  return run.length - run.replace(/\)+$/, '').length;
}

function count(run: string, character: string): number {
  return run.split(character).length - 1;
}

/** Turns unbalanced and empty parentheses into `plain` tokens, and removes parentheses that are nested too deep. */
function withTwins(tokens: Token[]): Tokens {
  if (!tokens.some(({ kind }) => kind === 'open' || kind === 'close')) return { tokens, isTooDeep: false };
  const out: (Token | null)[] = [...tokens];
  const open: number[] = [];
  let isTooDeep = false;
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'open') open.push(at);
    if (kind !== 'close') continue;
    const from = open.pop();
    if (from === undefined) {
      out[at] = { kind: 'plain', text };
    } else if (from === at - 1) {
      out[from] = { kind: 'plain', text: tokens[from]!.text + text };
      out[at] = null;
    } else if (open.length >= MAX_QUERY_NESTING) {
      out[from] = out[at] = null;
      isTooDeep = true;
    }
  }
  for (const at of open) out[at] = { kind: 'plain', text: tokens[at]!.text };
  return { tokens: out.filter((token) => token !== null), isTooDeep };
}

/** Turns operators without operands into `plain` tokens. */
function withOperands(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    out.push(hasOperands(token, out.at(-1), tokens[at + 1]) ? token : { kind: 'plain', text: token.text });
  }
  return out;
}

function hasOperands(token: Token, before: Token | undefined, after: Token | undefined): boolean {
  switch (token.kind) {
    case 'not':
      return startsOperand(after);
    case 'and':
    case 'or':
      return endsOperand(before) && (startsOperand(after) || after?.kind === 'not');
    case 'near':
      return isNearOperand(before) && isNearOperand(after);
    default:
      return true;
  }
}

function startsOperand(token: Token | undefined): boolean {
  return token?.kind === 'run' || token?.kind === 'phrase' || token?.kind === 'open';
}

function endsOperand(token: Token | undefined): boolean {
  return token?.kind === 'run' || token?.kind === 'phrase' || token?.kind === 'close';
}

function isNearOperand(token: Token | undefined): boolean {
  if (token?.kind === 'phrase') return token.sign === '' && token.field === '';
  return token?.kind === 'run' && token.sign === '' && !token.value.endsWith('*');
}
