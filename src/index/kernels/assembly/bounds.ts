/**
 * Computes an upper bound for the scores in each range of 64 documents, before any list of postings is read.
 * Ranges with a low bound can then be skipped.
 *
 * Each list of postings has a table of the maximum score in each range. For each range, the maxima of the
 * lists with documents in the range are added up. The bound is this sum, times the share of the query's
 * weight that the words of these lists make up, plus the greatest static score in the range. Four ranges are
 * computed at a time. The idea of bounds for ranges of documents instead of blocks of postings is from
 * Dimopoulos, Nepomnyachiy and Suel, "A candidate filtering mechanism for fast top-k query processing on
 * modern CPUs", 2013.
 *
 * Bounds are computed in single precision and multiplied by `SAFE32`, so that rounding errors never make a
 * bound too low.
 */
import { docsIn, frequencyAt, LIST, MASS, nextDoc, REQUIRED, SCALE, TABLE, WORD } from './cursors';
import { MAXIMA, raise, STATIC_MAXIMA, step, termScore } from './lists';
import { cursorOf, goneIn, listCount, norms, perWeight, segment } from './query';

const SAFE32: f32 = 1.00001;
/** The bound of a range of 64 documents in which no document can match the query. */
export const HOPELESS: f32 = -1;

/** The address of an array with the upper bound of the scores in each range of 64 documents, as f32. */
export let bounds: usize = 0;
/**
 * The address of memory for the maximum scores per range. It is used for postings lists that were loaded
 * without a table of these maxima.
 */
let tables: usize = 0;
let tableBytes: usize = 0;

/**
 * Sets the addresses of the bounds (`ranges` f32 numbers) and of the memory for 64 tables of maximum scores
 * (`ranges` bytes each).
 */
export function setUpBounds(at: usize, tablesAt: usize, ranges: u32): void {
  bounds = at;
  tables = tablesAt;
  tableBytes = ranges;
}

/**
 * Computes the upper bounds of the scores in `count` ranges, beginning with range `first`. Ranges are computed
 * four at a time, so up to three numbers after the last bound are overwritten.
 */
export function findBounds(first: u32, count: u32, hasRequired: bool): void {
  for (let number: u32 = 0; number < listCount; number++) findTable(number, first, count);
  const shareOf = f32x4.splat(<f32>perWeight);
  const one = f32x4.splat(1);
  const safe = f32x4.splat(SAFE32);
  const statics: usize = load<u32>(segment, STATIC_MAXIMA);
  for (let range: usize = 0; range < <usize>count; range += 4) {
    addLists(range, hasRequired);
    const share = f32x4.min(one, f32x4.mul(mass, shareOf));
    let bound = f32x4.mul(f32x4.mul(sum, share), safe);
    if (statics !== 0) bound = f32x4.add(bound, v128.load(statics + ((<usize>first + range) << 2)));
    v128.store(bounds + (range << 2), v128.bitselect(bound, f32x4.splat(HOPELESS), possible));
  }
}

/**
 * Results of `addLists` for the current four ranges, one lane each: the sum of the maximum scores, the sum of
 * the masses (see `MASS`) of the postings lists with documents in the range, and a mask that is set if a
 * document of the range can match.
 */
let sum: v128 = f32x4.splat(0);
let mass: v128 = f32x4.splat(0);
let possible: v128 = f32x4.splat(0);

function addLists(range: usize, hasRequired: bool): void {
  const zero = f32x4.splat(0);
  let sums = zero;
  let masses = zero;
  let ofWord = zero;
  let hasWord = zero;
  let hasAny = zero;
  let hasAll = i32x4.splat(-1);
  let word = load<u32>(cursorOf(0), WORD);
  let isRequired = load<u32>(cursorOf(0), REQUIRED) !== 0;
  for (let number: u32 = 0; number < listCount; number++) {
    const cursor = cursorOf(number);
    if (load<u32>(cursor, WORD) !== word) {
      masses = f32x4.add(masses, ofWord);
      if (isRequired) hasAll = v128.and(hasAll, hasWord);
      ofWord = zero;
      hasWord = zero;
      word = load<u32>(cursor, WORD);
      isRequired = load<u32>(cursor, REQUIRED) !== 0;
    }
    const bytes = v128.load32_zero(<usize>load<u32>(cursor, TABLE) + range);
    const steps = f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)));
    const has = f32x4.gt(steps, zero);
    sums = f32x4.add(sums, f32x4.mul(steps, f32x4.splat(<f32>(load<f64>(cursor, SCALE) * step))));
    ofWord = f32x4.max(ofWord, v128.and(has, f32x4.splat(<f32>load<f64>(cursor, MASS))));
    hasWord = v128.or(hasWord, has);
    hasAny = v128.or(hasAny, has);
  }
  if (isRequired) hasAll = v128.and(hasAll, hasWord);
  sum = sums;
  mass = f32x4.add(masses, ofWord);
  possible = hasRequired ? hasAll : hasAny;
}

/**
 * Sets the field `TABLE` of a cursor to the table of maximum scores of its postings list. If the list has no
 * table, computes one.
 */
function findTable(number: u32, first: u32, count: u32): void {
  const cursor = cursorOf(number);
  const known: usize = load<u32>(<usize>load<u32>(cursor, LIST), MAXIMA);
  const table = known !== 0 ? known + first : tables + <usize>number * tableBytes;
  store<u32>(cursor, <u32>table, TABLE);
  if (known === 0) makeTable(cursor, table, first, count);
}

function makeTable(cursor: usize, table: usize, first: u32, count: u32): void {
  memory.fill(table, 0, count);
  const end = (first + count) << 6;
  for (let doc = nextDoc(cursor, first << 6); doc < end; ) {
    const range = doc >> 6;
    const held = docsIn(cursor, range) & ~goneIn(range);
    for (let rest = held; rest !== 0; rest &= rest - 1) {
      const bit = <u32>ctz(rest);
      const norm = load<f64>(norms + ((<usize>(range << 6) + bit) << 3));
      raise(table + (range - first), termScore(1, frequencyAt(cursor, bit), norm));
    }
    doc = nextDoc(cursor, (range + 1) << 6);
  }
}
