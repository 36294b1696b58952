/** The parsed query as a tree of clauses, and its conversion back to text. */
import type { Condition } from './condition.ts';
import type { Alternative } from './interpret-query.ts';
import { isOption } from './tokens.ts';

export type QueryNode =
  /**
   * Words that were typed without a space between them: `node.js` has two terms. `others[i]` has the alternatives of
   * term i, such as synonyms.
   */
  | {
      kind: 'words';
      terms: readonly string[];
      text: string;
      others?: readonly (readonly Alternative[])[];
    }
  /** A prefix such as `conn*`; `terms` are the words of the index that begin with it. */
  | { kind: 'prefix'; term: string; terms: readonly string[]; text: string }
  | { kind: 'phrase'; terms: readonly string[]; text: string }
  | { kind: 'near'; parts: readonly QueryNode[]; distances: readonly number[] }
  /**
   * A field with its value. `words` are the words of the value by which documents are ranked; there may be none. If
   * the value is a prefix, `completions` are the words of the index that begin with it.
   */
  | {
      kind: 'field';
      condition: Condition;
      words: readonly string[];
      completions?: readonly string[] | undefined;
      text: string;
      isFilter: boolean;
    }
  | { kind: 'and' | 'or' | 'sequence'; parts: readonly QueryNode[] }
  | { kind: 'must' | 'not'; part: QueryNode };

/** Returns the query of a tree as text. Parsing this text gives the same tree. */
export function textOf(node: QueryNode): string {
  switch (node.kind) {
    case 'sequence':
      return node.parts.map(textOf).join(' ');
    case 'or':
      return node.parts.map((part) => (part.kind === 'sequence' ? inGroup(part) : textOf(part))).join(' OR ');
    case 'and':
      return node.parts.map((part) => (isLoose(part) ? inGroup(part) : textOf(part))).join(' AND ');
    case 'near':
      return node.parts
        .map((part, i) => (i > 0 ? nearText(node.distances[i - 1]!) : '') + textOf(part))
        .join('');
    case 'must':
      return `+${signedText(node.part)}`;
    case 'not':
      return `-${signedText(node.part)}`;
    default:
      return node.text;
  }
}

/**
 * Returns the text of an excluded clause. A short word gets parentheses, `-(c)`, because `-c` would be read as an
 * option of a command.
 */
function signedText(part: QueryNode): string {
  const isGroup = isLoose(part) || part.kind === 'and' || part.kind === 'near' || 'part' in part;
  const isAmbiguous = part.kind === 'words' && isOption(`-${part.text}`, false);
  return isGroup || isAmbiguous ? inGroup(part) : textOf(part);
}

function isLoose({ kind }: QueryNode): boolean {
  return kind === 'sequence' || kind === 'or';
}

function inGroup(node: QueryNode): string {
  return `(${textOf(node)})`;
}

function nearText(distance: number): string {
  return ` NEAR/${distance} `;
}
