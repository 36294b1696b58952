/**
 * Makes an ONNX graph of the model with 8-bit weights, for ONNX Runtime. It has the operations that the
 * quantisation tools of ONNX Runtime produce, because the optimiser of ONNX Runtime replaces them by faster
 * ones: dynamic quantisation of activations to 8 bits, one step for each column of weights. All other
 * operations are computed in f32, as in the graphs of those tools.
 *
 * Weights are signed, or unsigned with 128 as zero, as in the quantised files that are published for sentence
 * embedding models. The values are the same, but on x86 ONNX Runtime multiplies signed weights twice as fast.
 */
import type { ModelFiles } from '../../src/meaning/model-files.ts';
import { FLOAT, INT8, INT64, OnnxGraph, UINT8 } from './onnx-file.ts';

const WORDS = 'embeddings.word_embeddings.weight';

/**
 * Adds a dense layer to the graph. `name` is the name of the layer in the model. Returns the name of its
 * output.
 */
type Dense = (name: string, input: string) => string;

/** Returns an ONNX file whose input is `ids`, the tokens of one text, and whose output is their mean vector. */
export function onnxModelOf(files: ModelFiles, isSigned: boolean): { bytes: Uint8Array; output: string } {
  const graph = new OnnxGraph();
  const { width, layers } = files.shape;
  const dense: Dense = (name, input) => denseLayer(graph, files, name, input, isSigned);
  let x = normalised(graph, files, 'embeddings', embedded(graph, files));
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.layer.${layer}`;
    const attended = dense(`${name}.attention.output.dense`, attention(graph, files, name, x, dense));
    x = normalised(graph, files, `${name}.attention.output`, graph.add('Add', [x, attended]));
    const inner = gelu(graph, dense(`${name}.intermediate.dense`, x));
    const outer = dense(`${name}.output.dense`, inner);
    x = normalised(graph, files, `${name}.output`, graph.add('Add', [x, outer]));
  }
  const mean = graph.add('ReduceMean', [x], { axes: [0], keepdims: 0 });
  const output = graph.add('Reshape', [mean, integers(graph, [width])]);
  return { bytes: graph.finish('ids', output), output };
}

function read({ tensors, prefix }: ModelFiles, name: string): Float32Array {
  return tensors.read(prefix + name, 0, tensors.shapeOf(prefix + name)[0]!);
}

function integers(graph: OnnxGraph, numbers: readonly number[]): string {
  return graph.constant(INT64, [numbers.length], BigInt64Array.from(numbers, BigInt));
}

function vector(graph: OnnxGraph, numbers: Float32Array): string {
  return graph.constant(FLOAT, [numbers.length], numbers);
}

/** Adds the word vectors in 8 bits, with a step for each word, and the position vectors. */
function embedded(graph: OnnxGraph, files: ModelFiles): string {
  const { width, vocabularySize, positions } = files.shape;
  const { levels, steps } = quantise(read(files, WORDS), width);
  const words = graph.constant(INT8, [vocabularySize, width], levels);
  const scales = graph.constant(FLOAT, [vocabularySize, 1], steps);
  const gathered = graph.add('Cast', [graph.add('Gather', [words, 'ids'])], { to: FLOAT });
  const word = graph.add('Mul', [gathered, graph.add('Gather', [scales, 'ids'])]);
  const kind = files.tensors.read(`${files.prefix}embeddings.token_type_embeddings.weight`, 0, 1);
  const places = read(files, 'embeddings.position_embeddings.weight').map((p, i) => p + kind[i % width]!);
  const table = graph.constant(FLOAT, [positions, width], places);
  const end = graph.add('Shape', ['ids']);
  const place = graph.add('Slice', [table, integers(graph, [0]), end, integers(graph, [0])]);
  return graph.add('Add', [word, place]);
}

function attention(graph: OnnxGraph, files: ModelFiles, name: string, x: string, dense: Dense): string {
  const { width, heads } = files.shape;
  const headed = integers(graph, [-1, heads, width / heads]);
  const project = (part: string, perm: number[]): string => {
    const projected = dense(`${name}.attention.self.${part}`, x);
    return graph.add('Transpose', [graph.add('Reshape', [projected, headed])], { perm });
  };
  const query = project('query', [1, 0, 2]);
  const key = project('key', [1, 2, 0]);
  const value = project('value', [1, 0, 2]);
  const scores = graph.add('Div', [
    graph.add('MatMul', [query, key]),
    graph.scalar(Math.sqrt(width / heads)),
  ]);
  const mixed = graph.add('MatMul', [graph.add('Softmax', [scores], { axis: -1 }), value]);
  return graph.add('Reshape', [
    graph.add('Transpose', [mixed], { perm: [1, 0, 2] }),
    integers(graph, [-1, width]),
  ]);
}

/** Adds a dense layer: x·W + b with dynamically quantised x. */
function denseLayer(graph: OnnxGraph, files: ModelFiles, name: string, x: string, isSigned: boolean): string {
  const biases = read(files, `${name}.bias`);
  const weights = read(files, `${name}.weight`);
  const inputs = weights.length / biases.length;
  const { levels, steps } = quantise(weights, inputs);
  const zero = isSigned ? 0 : 128;
  const columns = new (isSigned ? Int8Array : Uint8Array)(levels.length);
  for (let i = 0; i < levels.length; i++) {
    columns[(i % inputs) * biases.length + Math.floor(i / inputs)] = levels[i]! + zero;
  }
  const type = isSigned ? INT8 : UINT8;
  const matrix = graph.constant(type, [inputs, biases.length], columns);
  const zeros = graph.constant(type, [biases.length], columns.slice(0, biases.length).fill(zero));
  const [quantised, step, zeroOfX] = graph.addWithOutputs('DynamicQuantizeLinear', [x], 3);
  const sums = graph.add('MatMulInteger', [quantised!, matrix, zeroOfX!, zeros]);
  const scale = graph.add('Mul', [step!, vector(graph, steps)]);
  const scaled = graph.add('Mul', [graph.add('Cast', [sums], { to: FLOAT }), scale]);
  return graph.add('Add', [scaled, vector(graph, biases)]);
}

function gelu(graph: OnnxGraph, x: string): string {
  const erf = graph.add('Erf', [graph.add('Div', [x, graph.scalar(Math.SQRT2)])]);
  const product = graph.add('Mul', [x, graph.add('Add', [erf, graph.scalar(1)])]);
  return graph.add('Mul', [product, graph.scalar(0.5)]);
}

function normalised(graph: OnnxGraph, files: ModelFiles, name: string, x: string): string {
  const gains = vector(graph, read(files, `${name}.LayerNorm.weight`));
  const biases = vector(graph, read(files, `${name}.LayerNorm.bias`));
  return graph.add('LayerNormalization', [x, gains, biases], { axis: -1, epsilon: files.shape.epsilon });
}

/** Converts each row of numbers to 8 bits, with its own step size. */
function quantise(numbers: Float32Array, width: number): { levels: Int8Array; steps: Float32Array } {
  const levels = new Int8Array(numbers.length);
  const steps = new Float32Array(numbers.length / width);
  for (let row = 0; row < steps.length; row++) {
    const from = row * width;
    let most = 0;
    for (let i = from; i < from + width; i++) most = Math.max(most, Math.abs(numbers[i]!));
    steps[row] = most / 127;
    for (let i = from; i < from + width && most > 0; i++) levels[i] = Math.round((numbers[i]! * 127) / most);
  }
  return { levels, steps };
}
