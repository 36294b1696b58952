/** A parsed Content-Type header such as `Text/HTML; charset="utf-8"`. */

export interface ContentType {
  /** The content type in lower case and without parameters; empty if there is none. */
  type: string;
  /** The charset parameter as written, or the empty string. */
  charset: string;
}

const MAX_HEADER = 1000;

export function parseContentType(header: string): ContentType {
  const [type = '', ...parameters] = header.slice(0, MAX_HEADER).split(';');
  const charset = parameters.map((parameter) => parameter.split('=')).find(([name]) => isCharset(name));
  return {
    type: type.trim().toLowerCase(),
    charset: unquote(charset?.[1] ?? ''),
  };
}

function isCharset(name: string | undefined): boolean {
  return name?.trim().toLowerCase() === 'charset';
}

function unquote(value: string): string {
  return value.trim().replace(/^["']|["']$/g, '');
}
