/** How much of a page is kept. Lengths are in UTF-16 units. */
export const MAX_TEXT = 1_000_000;
export const MAX_LINKS = 5_000;
export const MAX_TITLE = 500;
export const MAX_DESCRIPTION = 1_000;
export const MAX_LINK_TEXT = 200;
export const MAX_REL = 100;
export const MAX_ALTERNATES = 100;
export const MAX_GRAPH_PROPERTIES = 20;
export const MAX_GRAPH_VALUE = 500;

/**
 * Whether a text had more than is kept: then it was cut at the limit, or just before it, where a character of two units
 * or the space between two words was.
 */
export function isShortened({ text }: { text: string }): boolean {
  return text.length >= MAX_TEXT - 2;
}
