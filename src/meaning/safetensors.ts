/**
 * Reads safetensors files (https://github.com/huggingface/safetensors#format):
 *
 *   u64      length of the header
 *   header   JSON: { "NAME": { "dtype": "F16", "shape": [30522, 384], "data_offsets": [begin, end] }, … }
 *   data     numbers in row-major order, little endian; offsets count from here
 *
 * When a file is opened, the offsets in its header are checked against the file size. Numbers are read in
 * pieces on request, so the file may be larger than the memory.
 */
import { directoryAt, type RandomFile } from '../base/mod.ts';
import { modelError } from './model-error.ts';

const MAX_HEADER_BYTES = 16 * 1024 * 1024;
const LENGTH_BYTES = 8;
const BYTES_PER_NUMBER: Record<string, number> = { F32: 4, F16: 2, BF16: 2 };

interface Tensor {
  dtype: string;
  shape: number[];
  begin: number;
  end: number;
}

export class Safetensors {
  readonly #file: RandomFile;
  readonly #path: string;
  readonly #tensors = new Map<string, Tensor>();
  readonly #dataAt: number;

  constructor(directory: string, name: string) {
    this.#path = `${directory}/${name}`;
    this.#file = directoryAt(directory).open(name);
    const header = this.#readHeader();
    this.#dataAt = LENGTH_BYTES + header.length;
    for (const [tensor, fields] of Object.entries(this.#parse(header))) {
      if (tensor !== '__metadata__') this.#tensors.set(tensor, this.#check(tensor, fields));
    }
  }

  get file(): RandomFile {
    return this.#file;
  }

  has(name: string): boolean {
    return this.#tensors.has(name);
  }

  shapeOf(name: string): readonly number[] {
    return this.#tensorOf(name).shape;
  }

  /**
   * Reads `count` rows of a matrix, or `count` numbers of a vector, from index `first` on, converted to f32.
   * Throws if a number is NaN or infinite.
   */
  read(name: string, first: number, count: number): Float32Array {
    const { dtype, shape, begin } = this.#tensorOf(name);
    const bytesPerNumber = BYTES_PER_NUMBER[dtype];
    if (!bytesPerNumber) throw this.#unsupported(`tensor ${name} of type F32, F16 or BF16`, dtype);
    const width = shape.slice(1).reduce((product, size) => product * size, 1);
    const at = this.#dataAt + begin + first * width * bytesPerNumber;
    const numbers = toFloats(this.#file.read(at, count * width * bytesPerNumber), dtype);
    if (numbers.some((number) => !Number.isFinite(number)))
      throw this.#damaged(`finite numbers in ${name}`, 'NaN or infinity');
    return numbers;
  }

  close(): void {
    this.#file.close();
  }

  #tensorOf(name: string): Tensor {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw this.#damaged(`a tensor ${name}`, `none among ${this.#tensors.size} tensors`);
    return tensor;
  }

  #readHeader(): Buffer {
    const { size } = this.#file;
    if (size < LENGTH_BYTES) throw this.#damaged('a safetensors header', `${size} bytes`);
    const length = Number(this.#file.read(0, LENGTH_BYTES).readBigUInt64LE());
    if (length > MAX_HEADER_BYTES || LENGTH_BYTES + length > size) {
      throw this.#damaged(
        'a safetensors header within the file',
        `a header of ${length} bytes in ${size} bytes`,
      );
    }
    return this.#file.read(LENGTH_BYTES, length);
  }

  #parse(header: Buffer): Record<string, unknown> {
    try {
      const parsed: unknown = JSON.parse(header.toString());
      if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
    } catch {
      // The next statement reports invalid JSON in the same way as JSON that is not an object.
    }
    throw this.#damaged('a safetensors header in JSON', 'other bytes');
  }

  #check(name: string, fields: unknown): Tensor {
    const { dtype, shape, data_offsets: offsets } = (fields ?? {}) as Record<string, unknown>;
    if (typeof dtype !== 'string' || !isSizes(shape) || !isSizes(offsets) || offsets.length !== 2) {
      throw this.#damaged(`type, shape and offsets of ${name}`, JSON.stringify(fields));
    }
    const [begin, end] = offsets as [number, number];
    const dataBytes = this.#file.size - this.#dataAt;
    if (begin > end || end > dataBytes) {
      throw this.#damaged(
        `${name} at bytes ${begin} to ${end} of the data`,
        `only ${dataBytes} bytes of data`,
      );
    }
    const count = shape.reduce((product, size) => product * size, 1);
    const bytesPerNumber = BYTES_PER_NUMBER[dtype];
    if (bytesPerNumber && count * bytesPerNumber !== end - begin) {
      throw this.#damaged(
        `${count * bytesPerNumber} bytes for ${name} of shape ${shape}`,
        `${end - begin} bytes`,
      );
    }
    return { dtype, shape, begin, end };
  }

  #damaged(expected: string, got: string): Error {
    return modelError('model-damaged', this.#path, expected, got);
  }

  #unsupported(expected: string, got: string): Error {
    return modelError('model-unsupported', this.#path, expected, got);
  }
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function toFloats(bytes: Buffer, dtype: string): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const floats = new Float32Array(bytes.length / BYTES_PER_NUMBER[dtype]!);
  const words = new Uint32Array(floats.buffer);
  for (let i = 0; i < floats.length; i++) {
    if (dtype === 'F16') floats[i] = halfToFloat(view.getUint16(2 * i, true));
    else words[i] = dtype === 'F32' ? view.getUint32(4 * i, true) : view.getUint16(2 * i, true) << 16;
  }
  return floats;
}

/** For each of the 31 exponents of a half-precision number, the value of the lowest bit of its fraction. */
const HALF_STEPS = Float64Array.from({ length: 31 }, (_, exponent) => 2 ** (Math.max(exponent, 1) - 25));

/** Converts an IEEE 754 half-precision number: 1 sign bit, 5 exponent bits, 10 fraction bits. */
function halfToFloat(half: number): number {
  const exponent = (half >> 10) & 31;
  if (exponent === 31) return Number.NaN;
  const fraction = exponent === 0 ? half & 1023 : 1024 + (half & 1023);
  return (half >> 15 ? -fraction : fraction) * HALF_STEPS[exponent]!;
}
