/**
 * The ZIP file that an office document or an e-book is. It opens parts by name, decompresses only the parts that are
 * asked for, and never opens a ZIP file inside the ZIP file.
 *
 * Each part costs its stated size of the budget before it is decompressed, and a part that decompresses to more than
 * its stated size is damaged. Therefore a small file cannot expand to more than the budget of its document.
 */
import {
  memoryFile,
  openZipEntry,
  type RandomFile,
  readZipDirectory,
  type WorkBudget,
  type ZipEntry,
} from '../../base/mod.ts';
import { unescaped } from '../../url/mod.ts';
import type { DocumentFault } from '../document-fault.ts';
import { declaredEncoding, elementsIn } from '../formats/mod.ts';
import { toUtf8 } from '../text/mod.ts';

/** A file with more parts is refused. Real documents have at most a few thousand, most of them pictures. */
const MAX_PARTS = 10_000;
const MAX_PART_BYTES = 64 * 1024 * 1024;
/** The first bytes of a compound file, the format of old office files and of encrypted new ones. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');
const ZIP_START = Buffer.from('PK\x03\x04');
/** The base of URLs of parts. It only serves to resolve relative references, and is never requested. */
const PACKAGE_ROOT = 'http://package.invalid/';

/** A reference from a part to another part or to a URL outside the file. */
export interface Relationship {
  /** The last segment of the type URI, such as `hyperlink`. */
  type: string;
  /** The name of a part or, if the target is external, its URL. */
  target: string;
  isExternal: boolean;
}

export class OfficePackage {
  readonly budget: WorkBudget;
  readonly #file: RandomFile;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  #fault: DocumentFault | null = null;

  private constructor(file: RandomFile, entries: readonly ZipEntry[], budget: WorkBudget) {
    this.budget = budget;
    this.#file = file;
    const parts = new Map<string, ZipEntry>();
    for (const entry of entries) {
      const key = keyOf(entry.name);
      if (!parts.has(key)) parts.set(key, entry);
    }
    this.#entries = parts;
  }

  /** Opens a ZIP file, or returns the reason why it cannot be read. */
  static open(body: Uint8Array, budget: WorkBudget): OfficePackage | DocumentFault {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    if (!bytes.subarray(0, ZIP_START.length).equals(ZIP_START)) return faultOfOther(bytes);
    const file = memoryFile('document', bytes);
    try {
      const entries = readZipDirectory(file, MAX_PARTS + 1);
      budget.step(entries.length);
      return entries.length > MAX_PARTS ? 'too-large' : new OfficePackage(file, entries, budget);
    } catch {
      return 'damaged';
    }
  }

  /** The reason why the first part that could not be read could not be read. */
  get fault(): DocumentFault {
    return this.#fault ?? 'missing-part';
  }

  has(name: string): boolean {
    return this.#entries.has(keyOf(name));
  }

  /** Reads a part. Returns null if there is no such part, or it cannot be read. */
  read(name: string): Buffer | null {
    const entry = this.#entries.get(keyOf(name));
    if (!entry || this.budget.isSpent) return null;
    const bytes = this.#decompress(entry);
    if (typeof bytes !== 'string') return bytes;
    this.#fault ??= bytes;
    return null;
  }

  /** Reads a part of XML as UTF-8. */
  readXml(name: string): Buffer | null {
    const bytes = this.read(name);
    return bytes && toUtf8(bytes, '', declaredEncoding);
  }

  /** Returns the relationships of a part by their ids. The name of the whole file is the empty string. */
  relationshipsOf(part: string): Map<string, Relationship> {
    const at = part.lastIndexOf('/') + 1;
    const source = this.readXml(`${part.slice(0, at)}_rels/${part.slice(at)}.rels`);
    const relationships = new Map<string, Relationship>();
    if (!source) return relationships;
    const attributes = ['id', 'type', 'target', 'targetmode'];
    for (const found of elementsIn(source, ['Relationship'], attributes, this.budget)) {
      const { id = '', type = '', target = '', targetmode = '' } = found.attributes;
      const isExternal = targetmode.toLowerCase() === 'external';
      const name = isExternal ? target.trim() : resolvePart(part, target);
      relationships.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: name, isExternal });
    }
    return relationships;
  }

  #decompress(entry: ZipEntry): Buffer | DocumentFault {
    if (entry.isEncrypted) return 'encrypted';
    const sizeBytes = Math.max(entry.size, entry.compressedSize);
    if (sizeBytes > Math.min(MAX_PART_BYTES, this.budget.left.bytes)) return 'too-large';
    this.budget.decode(sizeBytes);
    const file = openZipEntry(this.#file, entry);
    return file ? file.read(0, file.size) : 'damaged';
  }
}

/** Returns the name of the part to which a reference in another part leads. */
export function resolvePart(from: string, reference: string): string {
  const url = URL.parse(reference, PACKAGE_ROOT + from);
  return url?.href.startsWith(PACKAGE_ROOT) ? unescaped(url.pathname.slice(1)) : '';
}

/** Names of parts are compared without case, and some programs write `\` for `/`. */
function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

function faultOfOther(bytes: Buffer): DocumentFault {
  if (!bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) return 'other-format';
  return bytes.includes(ENCRYPTED_STREAM) ? 'encrypted' : 'other-format';
}
