/**
 * Makes text safe to show in a terminal and in one line of a log. Text from the web may contain control
 * characters that move the cursor, marks that reverse the text direction, and line separators that forge a
 * log line. These characters are replaced by escapes such as `\u202e`, which mean the same character inside a
 * JSON string.
 */

/**
 * Matches control characters except tab and line feed. The escape sequences for bold text do not match, because
 * the CLI writes them itself.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const CONTROLS = /(?!\u001b\[(?:1|22)m)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Matches direction marks, line and paragraph separators, and the byte order mark. */
const INVISIBLE = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeUnit).replace(INVISIBLE, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
