/**
 * Formats the condition of a parsed query as text, so that tables of expected results are readable: `(and cat (not
 * "big dog") site:a.org)`.
 */
import { ADDRESS, ANY_FIELD, BODY, type Condition, type PhraseTerm, TITLE } from './condition.ts';

const FIELD_NAMES = new Map([
  [ANY_FIELD, ''],
  [TITLE, 'title:'],
  [ADDRESS, 'url:'],
  [BODY, 'body:'],
]);

export function conditionText(condition: Condition | null): string {
  if (!condition) return 'nothing';
  switch (condition.kind) {
    case 'phrase':
      return FIELD_NAMES.get(condition.fields)! + quoted(wordsOf(condition.terms));
    case 'near':
      return condition.phrases
        .map((phrase, i) => (i > 0 ? ` ~${condition.distances[i - 1]} ` : '') + quoted(wordsOf(phrase)))
        .join('');
    case 'and':
    case 'or':
      return `(${[condition.kind, ...condition.parts.map(conditionText)].join(' ')})`;
    case 'not':
      return `(not ${conditionText(condition.part)})`;
    case 'site':
      return `site:${condition.host}${condition.address.length > 0 ? ` ${quoted(wordsOf(condition.address))}` : ''}`;
    case 'unblocked':
    case 'family':
    case 'rated':
      return condition.kind;
    case 'language':
      return `language:${condition.tag}`;
    case 'type':
    case 'kind':
    case 'collection':
      return `${condition.kind}:${condition.name}`;
    case 'before':
    case 'since':
      return `${condition.kind}:${new Date(condition.day * 86_400_000).toISOString().slice(0, 10)}`;
    case 'anchor':
      return `anchor:${quoted(wordsOf(condition.terms))}`;
    case 'documents':
      return `${condition.fingerprints.size}-documents`;
  }
}

function wordsOf(terms: readonly PhraseTerm[]): string[] {
  return terms.map(({ term }) => term);
}

function quoted(terms: readonly string[]): string {
  return terms.length === 1 ? terms[0]! : `"${terms.join(' ')}"`;
}
