/**
 * Interprets the content of a PDF page, which is a program of drawing commands. Only commands that show text
 * are executed (ISO 32000, § 9.4). The result is a list of pieces of text, each with its position on the page
 * and its size; `pdf-layout.ts` combines them to lines.
 *
 * Positions are measured along and across the direction of writing, so that rotated text is read like any
 * other.
 */
import type { PdfDocument } from './pdf-document.ts';
import { type Font, readFont } from './pdf-fonts.ts';
import { type Dictionary, Keyword, Name, PDF_END, type Value, ValueReader } from './pdf-values.ts';

export interface Piece {
  text: string;
  /** `start` and `end` are positions along the line of text. `across` is the position of the line. */
  start: number;
  end: number;
  across: number;
  size: number;
  isBold: boolean;
  /** The direction of writing in quarter turns, 0 to 3. */
  turn: number;
}

type Matrix = [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const MAX_FORM_DEPTH = 6;
const MAX_STATES = 100;
const MAX_OPERANDS = 1_000;

interface State {
  matrix: Matrix;
  font: Font | null;
  size: number;
  characterSpace: number;
  wordSpace: number;
  scale: number;
  leading: number;
  rise: number;
}

/** The number of UTF-16 units of shown text that use up one step of the work budget. */
const UNITS_A_STEP = 2;
/**
 * The number of UTF-16 units of text that use up one piece of the work budget. They take as much memory as a
 * piece.
 */
const UNITS_A_PIECE = 64;
/**
 * The steps of the work budget that drawing a form costs, for finding it and saving the state. The content of
 * the form costs extra.
 */
const FORM_STEPS = 5;

/**
 * Reads the text of the pages of a document, and each font only once. Stops when `isFull` returns true, or
 * when the work budget of the document is spent.
 */
export class ContentReader {
  readonly #document: PdfDocument;
  readonly #fonts = new Map<Dictionary, Font>();
  readonly #isFull: () => boolean;
  #pieces: Piece[] = [];
  #state: State = initialState();
  #saved: State[] = [];
  #text: Matrix = IDENTITY;
  #line: Matrix = IDENTITY;

  constructor(document: PdfDocument, isFull: () => boolean) {
    this.#document = document;
    this.#isFull = isFull;
  }

  readPage(content: Buffer, resources: Dictionary): Piece[] {
    this.#pieces = [];
    this.#state = initialState();
    this.#saved = [];
    this.#run(content, resources, 0);
    return this.#pieces;
  }

  #run(content: Buffer, resources: Dictionary, depth: number): void {
    const reader = new ValueReader(content, this.#document.budget);
    let operands: Value[] = [];
    for (let value = reader.read(); value !== PDF_END && !this.#isFull(); value = reader.read()) {
      if (!(value instanceof Keyword)) {
        if (operands.length < MAX_OPERANDS) operands.push(value);
        continue;
      }
      if (value.text === 'BI') skipImage(content, reader);
      else if (value.text === 'Do') this.#drawForm(operands, resources, depth);
      else this.#execute(value.text, operands, resources);
      operands = [];
    }
  }

  /**
   * Executes an operator. There is one case for each operator that affects text, so the function is long but
   * uniform.
   */
  #execute(operator: string, operands: readonly Value[], resources: Dictionary): void {
    const state = this.#state;
    const number = (i: number) => (typeof operands[i] === 'number' ? operands[i] : 0);
    switch (operator) {
      case 'q':
        if (this.#saved.length < MAX_STATES) this.#saved.push({ ...state });
        break;
      case 'Q':
        this.#state = this.#saved.pop() ?? state;
        break;
      case 'cm':
        state.matrix = multiply(matrixOf(operands), state.matrix);
        break;
      case 'BT':
        this.#text = this.#line = IDENTITY;
        break;
      case 'Tf':
        state.font = this.#fontOf(operands[0], resources);
        state.size = number(1);
        break;
      case 'Tc':
        state.characterSpace = number(0);
        break;
      case 'Tw':
        state.wordSpace = number(0);
        break;
      case 'Tz':
        state.scale = number(0) / 100 || 1;
        break;
      case 'TL':
        state.leading = number(0);
        break;
      case 'Ts':
        state.rise = number(0);
        break;
      case 'TD':
        state.leading = -number(1);
        this.#moveLine(number(0), number(1));
        break;
      case 'Td':
        this.#moveLine(number(0), number(1));
        break;
      case 'Tm':
        this.#text = this.#line = matrixOf(operands);
        break;
      case 'T*':
        this.#moveLine(0, -state.leading);
        break;
      case 'Tj':
        this.#show(operands[0]);
        break;
      case 'TJ':
        this.#showAll(operands[0]);
        break;
      case '"':
        state.wordSpace = number(0);
        state.characterSpace = number(1);
        this.#moveLine(0, -state.leading);
        this.#show(operands[2]);
        break;
      case "'":
        this.#moveLine(0, -state.leading);
        this.#show(operands[0]);
        break;
    }
  }

  #moveLine(x: number, y: number): void {
    this.#text = this.#line = multiply([1, 0, 0, 1, x, y], this.#line);
  }

  #fontOf(name: Value | undefined, resources: Dictionary): Font | null {
    if (!(name instanceof Name)) return null;
    const fonts = this.#document.dictionaryOf(resources.get('Font'));
    const dictionary = this.#document.dictionaryOf(fonts.get(name.text));
    if (dictionary.size === 0) return null;
    const font = this.#fonts.get(dictionary) ?? readFont(this.#document, dictionary);
    this.#fonts.set(dictionary, font);
    return font;
  }

  /** Shows the strings of a list. A number in the list moves the next string to the left. */
  #showAll(list: Value | undefined): void {
    if (!Array.isArray(list)) return;
    const { size, scale } = this.#state;
    for (const value of list) {
      if (typeof value === 'number') this.#advance((-value / 1000) * size * scale);
      else this.#show(value);
    }
  }

  #advance(x: number): void {
    this.#text = multiply([1, 0, 0, 1, x, 0], this.#text);
  }

  #show(value: Value | undefined): void {
    const { font, size, characterSpace, wordSpace, scale, rise, matrix } = this.#state;
    if (typeof value !== 'string' || !font) return;
    if (!this.#document.budget.step(value.length / UNITS_A_STEP)) return;
    let text = '';
    let width = 0;
    for (let i = 0; i < value.length; i += font.codeBytes) {
      const first = value.charCodeAt(i);
      const code = font.codeBytes === 1 ? first : first * 256 + (value.charCodeAt(i + 1) || 0);
      text += font.textOf(code);
      width += (font.widthOf(code) / 1000) * size + characterSpace;
      if (code === 32 && font.codeBytes === 1) width += wordSpace;
    }
    const start = multiply([1, 0, 0, 1, 0, rise], multiply(this.#text, matrix));
    this.#advance(width * scale);
    if (text === '' || !this.#document.budget.keep(1 + text.length / UNITS_A_PIECE)) return;
    this.#pieces.push(pieceOf(text, start, width * scale, size, font.isBold));
  }

  /** Draws a form, which is content that may be used several times. */
  #drawForm(operands: readonly Value[], resources: Dictionary, depth: number): void {
    const name = operands[0];
    if (!(name instanceof Name) || depth === MAX_FORM_DEPTH) return;
    if (!this.#document.budget.step(FORM_STEPS)) return;
    const reference = this.#document.dictionaryOf(resources.get('XObject')).get(name.text);
    const form = this.#document.dictionaryOf(reference);
    if (this.#document.nameOf(form.get('Subtype')) !== 'Form') return;
    const content = this.#document.bytesOf(reference);
    if (!content) return;
    const own = this.#document.dictionaryOf(form.get('Resources'));
    const saved = { state: { ...this.#state }, states: this.#saved, text: this.#text, line: this.#line };
    this.#saved = [];
    const matrix = this.#document.listOf(form.get('Matrix'));
    if (matrix.length === 6) this.#state.matrix = multiply(matrixOf(matrix), this.#state.matrix);
    this.#run(content, own.size > 0 ? own : resources, depth + 1);
    this.#state = saved.state;
    this.#saved = saved.states;
    this.#text = saved.text;
    this.#line = saved.line;
  }
}

function initialState(): State {
  return {
    matrix: IDENTITY,
    font: null,
    size: 0,
    characterSpace: 0,
    wordSpace: 0,
    scale: 1,
    leading: 0,
    rise: 0,
  };
}

/** Skips an inline image. Its bytes end at an `EI` between spaces. */
function skipImage(content: Buffer, reader: ValueReader): void {
  for (let at = content.indexOf('EI', reader.at); at >= 0; at = content.indexOf('EI', at + 2)) {
    const isAlone = content[at - 1]! <= 0x20 && (content[at + 2] ?? 0x20) <= 0x20;
    if (!isAlone) continue;
    reader.at = at + 2;
    return;
  }
  reader.at = content.length;
}

function pieceOf(text: string, matrix: Matrix, width: number, size: number, isBold: boolean): Piece {
  const [a, b, c, d, x, y] = matrix;
  const length = Math.hypot(a, b) || 1;
  const cos = a / length;
  const sin = b / length;
  const start = x * cos + y * sin;
  return {
    text,
    start,
    end: start + width * length,
    across: y * cos - x * sin,
    size: Math.abs(size) * (Math.hypot(c, d) || length),
    isBold,
    turn: Math.round(Math.atan2(b, a) / (Math.PI / 2)),
  };
}

function matrixOf(values: readonly Value[]): Matrix {
  const number = (i: number) => (typeof values[i] === 'number' ? values[i] : 0);
  return [number(0), number(1), number(2), number(3), number(4), number(5)];
}

/** Returns the transformation that applies `first` and then `second`. */
function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [g, h, i, j, k, l] = second;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}
