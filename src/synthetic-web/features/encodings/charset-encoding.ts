/**
 * Encodes text in a legacy charset. Node decodes these charsets but does not encode them, so the encoder's
 * table is built by decoding every one- and two-byte sequence once.
 */
const tables = new Map<string, Map<string, Buffer>>();

/**
 * Encodes text. `charset` is a label of `TextDecoder`. Throws if the charset lacks a character of the text.
 */
export function encodeText(charset: string, text: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tableOf(charset);
  const pieces = [...text].map((character) => {
    const bytes = table.get(character);
    if (!bytes) throw new RangeError(`${charset} has no ${character}`);
    return bytes;
  });
  return Buffer.concat(pieces);
}

function tableOf(charset: string): Map<string, Buffer> {
  let table = tables.get(charset);
  if (!table) {
    table = new Map();
    fillTable(table, charset);
    tables.set(charset, table);
  }
  return table;
}

function fillTable(table: Map<string, Buffer>, charset: string): void {
  const decoder = new TextDecoder(charset, { fatal: true });
  for (let first = 0; first < 256; first++) {
    if (add(table, decoder, Buffer.of(first)) || first < 0x80) continue;
    for (let second = 0x30; second < 256; second++) add(table, decoder, Buffer.of(first, second));
  }
}

/**
 * Adds a byte sequence and its character to the table. Returns false if the bytes are not one character. If
 * several byte sequences give the same character, the first is kept.
 */
function add(table: Map<string, Buffer>, decoder: InstanceType<typeof TextDecoder>, bytes: Buffer): boolean {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return false;
  }
  if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
  return true;
}
