/** A query as it was read: a tree of its clauses, and how to write it down again. */
import type { Condition } from './condition.ts';
import type { Alternative } from './meaning.ts';

export type QueryNode =
  /** Words as they were typed, together: `node.js` has two terms. A single one may have synonyms. */
  | { kind: 'words'; terms: readonly string[]; text: string; synonyms?: readonly Alternative[] }
  /** The beginning of a word; `terms` are the words of the index that it stands for. */
  | { kind: 'prefix'; term: string; terms: readonly string[]; text: string }
  | { kind: 'phrase'; terms: readonly string[]; text: string }
  | { kind: 'near'; parts: readonly QueryNode[]; distances: readonly number[] }
  /** `words` are what a document is ranked by, if anything; `completions` are what the only one of them is the beginning of. */
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

/** Reading this again gives the same tree. */
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

function signedText(part: QueryNode): string {
  const isGroup = isLoose(part) || part.kind === 'and' || part.kind === 'near' || 'part' in part;
  return isGroup ? inGroup(part) : textOf(part);
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
