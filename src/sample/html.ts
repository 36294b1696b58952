/**
 * A template tag that escapes whatever is put into it, unless that is markup already. So a package
 * may be called or described as it likes: only what passed through `html` or `raw` is ever a tag.
 */

export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | readonly Content[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function html(parts: TemplateStringsArray, ...values: Content[]): Markup {
  const pieces = parts.map((part, at) => part + (at < values.length ? render(values[at]!) : ''));
  return { markup: pieces.join('') };
}

/** Takes `markup` as it is: the caller vouches for it. */
export function raw(markup: string): Markup {
  return { markup };
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

function render(value: Content): string {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  return 'markup' in value ? value.markup : value.map(render).join('');
}
