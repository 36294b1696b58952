/**
 * Writes ONNX models: the few messages of onnx.proto (https://github.com/onnx/onnx) that a graph of an encoder needs, in
 * the wire format of protocol buffers.
 */

/** The codes of the element types of tensors. */
export const FLOAT = 1;
export const UINT8 = 2;
export const INT8 = 3;
export const INT64 = 7;

type Field = [number: number, value: number | string | Uint8Array | Float32Array];

/** A graph under construction. Each operation returns the name of its output. */
export class OnnxGraph {
  readonly #nodes: Uint8Array[] = [];
  readonly #constants: Uint8Array[] = [];
  #names = 0;

  /** Adds a tensor of numbers and returns its name. */
  constant(
    type: number,
    shape: readonly number[],
    numbers: Float32Array | Int8Array | Uint8Array | BigInt64Array,
  ): string {
    const name = `c${this.#names++}`;
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    this.#constants.push(
      message([...shape.map((size): Field => [1, size]), [2, type], [8, name], [9, bytes]]),
    );
    return name;
  }

  scalar(value: number): string {
    return this.constant(FLOAT, [], Float32Array.of(value));
  }

  add(type: string, inputs: readonly string[], attributes: Record<string, number | number[]> = {}): string {
    return this.addWithOutputs(type, inputs, 1, attributes)[0]!;
  }

  addWithOutputs(
    type: string,
    inputs: readonly string[],
    count: number,
    attributes: Record<string, number | number[]> = {},
  ): string[] {
    const outputs = Array.from({ length: count }, () => `t${this.#names++}`);
    this.#nodes.push(
      message([
        ...inputs.map((name): Field => [1, name]),
        ...outputs.map((name): Field => [2, name]),
        [4, type],
        ...Object.entries(attributes).map(([name, value]): Field => [5, attribute(name, value)]),
      ]),
    );
    return outputs;
  }

  /** Returns the file of a model with one input, a list of token ids, and one output. */
  finish(input: string, output: string): Uint8Array {
    const graph = message([
      ...this.#nodes.map((node): Field => [1, node]),
      [2, 'encoder'],
      ...this.#constants.map((constant): Field => [5, constant]),
      [11, valueInfo(input, INT64)],
      [12, valueInfo(output, FLOAT)],
    ]);
    return message([
      [1, 8],
      [7, graph],
      [8, message([[2, 17]])],
    ]);
  }
}

function attribute(name: string, value: number | number[]): Uint8Array {
  if (typeof value !== 'number') {
    return message([[1, name], ...value.map((each): Field => [8, each]), [20, 7]]);
  }
  if (Number.isInteger(value))
    return message([
      [1, name],
      [3, value],
      [20, 2],
    ]);
  return message([
    [1, name],
    [2, Float32Array.of(value)],
    [20, 1],
  ]);
}

/** Returns the declaration of a tensor with one dimension of any size. */
function valueInfo(name: string, type: number): Uint8Array {
  const shape = message([[1, message([[2, 'n']])]]);
  return message([
    [1, name],
    [
      2,
      message([
        [
          1,
          message([
            [1, type],
            [2, shape],
          ]),
        ],
      ]),
    ],
  ]);
}

function message(fields: readonly Field[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (typeof value === 'number') {
      parts.push(varint(number * 8), varint(value));
    } else if (value instanceof Float32Array) {
      parts.push(varint(number * 8 + 5), new Uint8Array(value.buffer));
    } else {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      parts.push(varint(number * 8 + 2), varint(bytes.length), bytes);
    }
  }
  return Buffer.concat(parts);
}

/** Encodes a number as a varint of protocol buffers. Negative numbers take ten bytes, as 64-bit numbers. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
