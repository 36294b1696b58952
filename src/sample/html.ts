/**
 * Builds HTML with a template tag that escapes every inserted value, except for output of `html` or `raw`.
 * Therefore the names and descriptions of packages cannot add tags.
 */

export interface Markup {
  readonly markup: string;
}

export type MarkupContent = Markup | string | number | readonly MarkupContent[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function sampleHtml(parts: TemplateStringsArray, ...values: MarkupContent[]): Markup {
  const pieces = parts.map((part, at) => part + (at < values.length ? render(values[at]!) : ''));
  return { markup: pieces.join('') };
}

/** Inserts `markup` without escaping: the caller must ensure that it is safe. */
export function raw(markup: string): Markup {
  return { markup };
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

function render(value: MarkupContent): string {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  return 'markup' in value ? value.markup : value.map(render).join('');
}
