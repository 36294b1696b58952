/** Makes small PDF files for tests, object by object. */
import { createCipheriv, createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export interface PdfParts {
  /** The drawing commands of each page. */
  pages: string[];
  /** The font dictionaries. The key is the name that the pages use for the font. */
  fonts?: Record<string, string>;
  info?: string;
  /** Additional entries of the catalog dictionary. */
  catalog?: string;
  /** Further objects, numbered from 100: a dictionary, and the data of a stream. */
  extra?: { dictionary: string; data?: Buffer }[];
  /** Additional entries of every page dictionary. */
  page?: string;
  /** If true, all objects except streams are in an object stream, and the file has no trailer. */
  isPacked?: boolean;
  encryption?: 'rc4' | 'aes' | 'locked';
}

interface PdfObject {
  number: number;
  dictionary: string;
  data?: Buffer;
}

export const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

export function makePdf(parts: PdfParts): Buffer {
  const objects = objectsOf(parts);
  if (parts.isPacked) return packed(objects);
  if (parts.encryption) return encrypted(objects, parts.encryption);
  return Buffer.concat([
    Buffer.from('%PDF-1.4\n%\xe2\xe3\n', 'latin1'),
    ...objects.map(written),
    Buffer.from('trailer\n<</Root 1 0 R/Info 3 0 R>>\nstartxref\n0\n%%EOF\n'),
  ]);
}

function objectsOf({
  pages,
  fonts = { F: HELVETICA },
  info = '',
  catalog = '',
  extra = [],
  page = '',
}: PdfParts): PdfObject[] {
  const fontList = Object.entries(fonts).map(([name, font]) => `/${name} ${font}`);
  const kids = pages.map((_, i) => `${10 + 2 * i} 0 R`).join(' ');
  const own = pages.flatMap((content, i): PdfObject[] => [
    { number: 10 + 2 * i, dictionary: `<</Type/Page/Parent 2 0 R/Contents ${11 + 2 * i} 0 R${page}>>` },
    {
      number: 11 + 2 * i,
      dictionary: '/Filter/FlateDecode',
      data: deflateSync(Buffer.from(content, 'latin1')),
    },
  ]);
  return [
    { number: 1, dictionary: `<</Type/Catalog/Pages 2 0 R${catalog}>>` },
    {
      number: 2,
      dictionary: `<</Type/Pages/Kids[${kids}]/Count ${pages.length}/Resources<</Font<<${fontList.join('')}>>>>>>`,
    },
    { number: 3, dictionary: `<<${info}>>` },
    ...own,
    ...extra.map((object, i) => ({ number: 100 + i, ...object })),
  ];
}

function written({ number, dictionary, data }: PdfObject): Buffer {
  const body = data
    ? [Buffer.from(`<<${dictionary}/Length ${data.length}>>\nstream\n`), data, Buffer.from('\nendstream')]
    : [Buffer.from(dictionary, 'latin1')];
  return Buffer.concat([Buffer.from(`${number} 0 obj\n`), ...body, Buffer.from('\nendobj\n')]);
}

function packed(objects: readonly PdfObject[]): Buffer {
  const plain = objects.filter(({ data }) => !data);
  let body = '';
  const index = plain.map(({ number, dictionary }) => {
    const entry = `${number} ${body.length}`;
    body += `${dictionary} `;
    return entry;
  });
  const head = `${index.join(' ')} `;
  const stream = {
    number: 200,
    dictionary: `/Type/ObjStm/N ${plain.length}/First ${head.length}/Filter/FlateDecode`,
    data: deflateSync(Buffer.from(head + body, 'latin1')),
  };
  const table = {
    number: 201,
    dictionary: '/Type/XRef/Root 1 0 R/Info 3 0 R/W[1 2 1]',
    data: Buffer.alloc(4),
  };
  const streams = objects.filter(({ data }) => data);
  return Buffer.concat([Buffer.from('%PDF-1.5\n'), ...[...streams, stream, table].map(written)]);
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** Encrypts the streams of a PDF file. `locked` uses a password that is not empty. */
function encrypted(objects: readonly PdfObject[], kind: 'rc4' | 'aes' | 'locked'): Buffer {
  const owner = Buffer.alloc(32, 7);
  const id = Buffer.from('0123456789abcdef');
  const password = kind === 'locked' ? Buffer.from('secret').subarray(0, 6) : Buffer.alloc(0);
  let key = md5(
    Buffer.concat([password, PADDING]).subarray(0, 32),
    owner,
    Buffer.from([0xfc, 255, 255, 255]),
    id,
  );
  for (let i = 0; i < 50; i++) key = md5(key);
  let proof = rc4(key, md5(PADDING, id));
  for (let i = 1; i < 20; i++) proof = rc4(Buffer.from(key.map((byte) => byte ^ i)), proof);
  const user = Buffer.concat([proof, Buffer.alloc(16)]);
  const filters =
    kind === 'aes' ? '/V 4/R 4/CF<</StdCF<</CFM/AESV2>>>>/StmF/StdCF/StrF/Identity' : '/V 2/R 3';
  const settings = `<</Filter/Standard${filters}/Length 128/P -4/O<${owner.toString('hex')}>/U<${user.toString('hex')}>>>`;
  const body = objects.map((object) =>
    written(object.data ? sealed(object, object.data, key, kind) : object),
  );
  const trailer = `trailer\n<</Root 1 0 R/Encrypt ${settings}/ID[<${id.toString('hex')}><00>]>>\n%%EOF`;
  return Buffer.concat([Buffer.from('%PDF-1.6\n'), ...body, Buffer.from(trailer)]);
}

function sealed(object: PdfObject, data: Buffer, key: Buffer, kind: string): PdfObject {
  const salt = Buffer.from([object.number, 0, 0, 0, 0]);
  if (kind !== 'aes') return { ...object, data: rc4(md5(key, salt), data) };
  const vector = Buffer.alloc(16, 5);
  const cipher = createCipheriv('aes-128-cbc', md5(key, salt, Buffer.from('sAlT')), vector);
  return { ...object, data: Buffer.concat([vector, cipher.update(data), cipher.final()]) };
}

function md5(...parts: Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, i) => i);
  let j = 0;
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b]!, state[a]!];
  };
  for (let i = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) % 256;
    swap(i, j);
  }
  j = 0;
  return Buffer.from(
    data.map((byte, at) => {
      const i = (at + 1) % 256;
      j = (j + state[i]!) % 256;
      swap(i, j);
      return byte ^ state[(state[i]! + state[j]!) % 256]!;
    }),
  );
}
