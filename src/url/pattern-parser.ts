/** Parses a regular expression into a tree. `linear-pattern.ts` lists the supported syntax. */
import { UsageError } from '../base/mod.ts';

export type PatternNode =
  /** Matches one character. Entry `code` is 1 for each of the 128 ASCII codes that match. */
  | { kind: 'set'; characters: Uint8Array }
  | { kind: 'start' | 'end' }
  | { kind: 'sequence'; parts: PatternNode[] }
  | { kind: 'choice'; options: PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; least: number; most: number };

const ANY = setOf((code) => code !== 0x0a && code !== 0x0d);
const CLASSES: Readonly<Record<string, Uint8Array>> = {
  d: setOf((code) => /\d/.test(String.fromCharCode(code))),
  w: setOf((code) => /\w/.test(String.fromCharCode(code))),
  s: setOf((code) => /\s/.test(String.fromCharCode(code))),
};
const MAX_COUNT = 1000;

export function parsePattern(source: string): PatternNode {
  const parser = new PatternParser(source);
  const node = parser.choice();
  if (!parser.isAtEnd) throw bad('a parenthesis closes nothing');
  return node;
}

class PatternParser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length;
  }

  choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.isAtEnd && !this.#sees('|') && !this.#sees(')')) parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): PatternNode {
    const part = this.#atom();
    const counts = this.#counts();
    if (counts === null) return part;
    if (part.kind === 'start' || part.kind === 'end') throw bad('an anchor cannot be repeated');
    // Skips the `?` of a lazy repetition. Lazy and greedy repetitions are equivalent, because the matcher
    // only reports whether there is a match.
    this.#take('?');
    if (this.#counts() !== null) throw bad('a repetition follows a repetition');
    return { kind: 'repeat', part, least: counts[0], most: counts[1] };
  }

  #counts(): [number, number] | null {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    const written = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.#source.slice(this.#at, this.#at + 12));
    if (!written) return null;
    this.#at += written[0].length;
    const least = Number(written[1]);
    const most =
      written[2] === undefined ? least : written[3] ? Number(written[3]) : Number.POSITIVE_INFINITY;
    if (most < least || least > MAX_COUNT) throw bad(`${written[0]} is no sensible number of times`);
    return [least, most];
  }

  #atom(): PatternNode {
    const character = this.#next();
    if (character === '^') return { kind: 'start' };
    if (character === '$') return { kind: 'end' };
    if (character === '.') return { kind: 'set', characters: ANY };
    if (character === '(') return this.#group();
    if (character === '[') return { kind: 'set', characters: this.#characterClass() };
    if ('*+?'.includes(character)) throw bad(`there is nothing that ${character} could repeat`);
    return { kind: 'set', characters: character === '\\' ? this.#escape() : only(character) };
  }

  #group(): PatternNode {
    if (this.#take('?') && !this.#take(':')) throw bad('of groups with (? only (?: is known');
    const inner = this.choice();
    if (!this.#take(')')) throw bad('a parenthesis is not closed');
    return inner;
  }

  #characterClass(): Uint8Array {
    const negated = this.#take('^');
    const members = new Uint8Array(128);
    while (!this.#take(']')) this.#addMember(members);
    return negated ? opposite(members) : members;
  }

  /**
   * Adds a character or a range to a character class. A hyphen between two characters makes a range; anywhere
   * else it is a literal character.
   */
  #addMember(members: Uint8Array): void {
    const low = this.#member();
    const isRange = this.#sees('-') && this.#source[this.#at + 1] !== ']' && isSingle(low);
    if (!isRange) {
      for (const [code, mark] of low.entries()) members[code]! |= mark;
      return;
    }
    this.#at++;
    const high = this.#member();
    if (!isSingle(high) || low.indexOf(1) > high.indexOf(1)) throw bad('a range runs backwards');
    members.fill(1, low.indexOf(1), high.indexOf(1) + 1);
  }

  #member(): Uint8Array {
    const character = this.#next();
    return character === '\\' ? this.#escape() : only(character);
  }

  #escape(): Uint8Array {
    const character = this.#next();
    const known = CLASSES[character.toLowerCase()];
    if (known) return character === character.toLowerCase() ? known : opposite(known);
    if (/[A-Za-z0-9]/.test(character)) throw bad(`\\${character} is not known`);
    return only(character);
  }

  #next(): string {
    if (this.isAtEnd) throw bad('it ends too early');
    return this.#source[this.#at++]!;
  }

  #sees(character: string): boolean {
    return this.#source[this.#at] === character;
  }

  #take(character: string): boolean {
    if (!this.#sees(character)) return false;
    this.#at++;
    return true;
  }
}

function setOf(has: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (has(code) ? 1 : 0));
}

function only(character: string): Uint8Array {
  const code = character.charCodeAt(0);
  if (code > 127) throw bad(`"${character}" is not ASCII; a canonical URL has %-escapes in its place`);
  return setOf((each) => each === code);
}

function opposite(set: Uint8Array): Uint8Array {
  return set.map((mark) => 1 - mark);
}

function isSingle(set: Uint8Array): boolean {
  return set.indexOf(1) === set.lastIndexOf(1);
}

function bad(what: string): UsageError {
  return new UsageError('bad-pattern', what);
}
