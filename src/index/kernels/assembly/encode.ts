/**
 * Encodes the postings and places of terms, one term after the other. `../../postings/postings-format.ts`
 * describes the bytes; `../../postings/postings-writer.ts` calls these functions.
 *
 * The output goes to two windows, one for postings and one for positions. When one of them is nearly full, the
 * JavaScript caller copies and empties both before it continues, so that a list of any length can be encoded in
 * a fixed memory:
 *
 *   state       counts and sizes, which JavaScript reads
 *   forms       per form: number of its documents, u32[256]; the last of these documents, u32[256];
 *               its form number in the output, u8[256]
 *   buffers     six blocks of 128 numbers, and the scratch of packing
 *   postings    a window
 *   positions   a window
 */
import { pack, putVarint, setUpPacking } from './pack';

export { pack } from './pack';

/** Byte offsets of the values in the state, which the JavaScript caller reads. */
const DOC_COUNT: usize = 0;
const POSTINGS_LENGTH: usize = 4;
const POSITIONS_LENGTH: usize = 8;
const STATE_BYTES: usize = 16;

const MAX_FORMS: usize = 256;
const BLOCK: u32 = 128;
const BUFFER_BYTES: usize = 512;
/**
 * An output window with less free space than this number of bytes counts as full. No encoded block is larger.
 */
const ROOM: usize = 8192;

const UNIT: u32 = 4;
const LEAST_WEIGHT: u32 = 1;
const FORM_SCALE: u32 = 8;
/**
 * The weights of the fields 0 to 7, one byte each; fields.ts defines them and the JavaScript caller passes
 * them.
 */
let weights: u64 = 0;

let state: usize = 0;
export let formDocs: usize = 0;
let formSeen: usize = 0;
export let formNumbers: usize = 0;
let gaps: usize = 0;
let frequencies: usize = 0;
let counts: usize = 0;
let placeGaps: usize = 0;
let fields: usize = 0;
let forms: usize = 0;
export let postingsAt: usize = 0;
export let positionsAt: usize = 0;
let postingsLimit: usize = 0;
let positionsLimit: usize = 0;

export let postings: usize = 0;
export let positions: usize = 0;
/**
 * The number of bytes in the encoded positions of the current term that the JavaScript caller has already
 * copied.
 */
let positionsTaken: u32 = 0;

let hasForms: bool = false;
export let docCount: u32 = 0;
let inBlock: u32 = 0;
let lastDoc: u32 = 0;
let lastOfBlock: u32 = 0;
let isMixed: bool = false;
let frequency: u32 = 0;
let placeCount: u32 = 0;
let lastPosition: u32 = 0;
let placesInBlock: u32 = 0;
let placesAt: u32 = 0;
let placesBefore: u32 = 0;
let inPlacesBlock: u32 = 0;
let hasPlacesBlocks: bool = false;

/**
 * Sets up the encoder. `at` is the address of the state, `window` the size of each output window in bytes, and
 * `fieldWeights` has the weights of the fields 0 to 7, one byte each.
 */
export function setUp(at: usize, window: usize, fieldWeights: u64): void {
  weights = fieldWeights;
  state = at;
  formDocs = state + STATE_BYTES;
  formSeen = formDocs + MAX_FORMS * 4;
  formNumbers = formSeen + MAX_FORMS * 4;
  gaps = formNumbers + MAX_FORMS;
  frequencies = gaps + BUFFER_BYTES;
  counts = frequencies + BUFFER_BYTES;
  placeGaps = counts + BUFFER_BYTES;
  fields = placeGaps + BUFFER_BYTES;
  forms = fields + BUFFER_BYTES;
  setUpPacking(forms + BUFFER_BYTES);
  postingsAt = forms + 2 * BUFFER_BYTES;
  positionsAt = postingsAt + window;
  postingsLimit = positionsAt - ROOM;
  positionsLimit = positionsAt + window - ROOM;
}

/** Starts the next term, which has `formCount` word forms. */
export function start(formCount: u32): void {
  hasForms = formCount > 1;
  memory.fill(formDocs, 0, <usize>formCount * 4);
  memory.fill(formSeen, 0, <usize>formCount * 4);
  postings = postingsAt;
  positions = positionsAt;
  positionsTaken = 0;
  docCount = 0;
  inBlock = 0;
  lastDoc = -1;
  lastOfBlock = -1;
  isMixed = false;
  frequency = 0;
  placeCount = 0;
  lastPosition = 0;
  placesInBlock = 0;
  placesAt = 0;
  placesBefore = 0;
  inPlacesBlock = 0;
  hasPlacesBlocks = false;
  writeState();
}

/** Empties the output windows. The JavaScript caller calls this after it has copied their bytes. */
export function taken(): void {
  positionsTaken += <u32>(positions - positionsAt);
  postings = postingsAt;
  positions = positionsAt;
}

/**
 * Returns true if an output window is full, so that the JavaScript caller must copy both before the next block.
 */
function isFull(): bool {
  return postings > postingsLimit || positions > positionsLimit;
}

/**
 * Adds the occurrences of the term from the address `from` to `end`. Each occurrence is two numbers, as in
 * sort-tokens.ts: a document number with the word form in its top 8 bits, and a place. Returns the address of
 * the next occurrence to add: `end`, or less if an output window is full. Later calls may add more occurrences
 * to the last document.
 */
export function addPairs(from: usize, end: usize): usize {
  let at = from;
  for (; at < end && !isFull(); at += 8) {
    const key = load<u32>(at);
    const doc = key & 0xffffff;
    if (placeCount > 0 && doc !== lastDoc) closeDocument();
    if (placeCount === 0) openDocument(doc);
    addPlace(load<u32>(at, 4), hasForms ? load<u8>(formNumbers + (key >> 24)) : 0);
  }
  writeState();
  return at;
}

/**
 * Adds the occurrences of the term in one document. The numbers from `from` to `end` are `place u32, form
 * u32` for each occurrence. If `isWhole`, these are the last occurrences of the document.
 *
 * Returns the address of the next occurrence to add: `end`, or less if an output window is full. The caller
 * then empties the windows and calls this function again. A document is begun only if at least one of its
 * occurrences fits, so every call makes progress.
 *
 * The frequency of the document is `weight` or, if that is 0, the sum of the field weights of its
 * occurrences.
 */
export function addPlaces(doc: u32, from: usize, end: usize, isWhole: bool, weight: u32): usize {
  if (isFull()) return from;
  let at = from;
  if (placeCount === 0) openDocument(doc);
  for (; at < end && !isFull(); at += 8) addPlace(load<u32>(at), load<u32>(at, 4));
  if (isWhole && at === end) {
    if (weight > 0) frequency = weight;
    closeDocument();
  }
  writeState();
  return at;
}

/**
 * Ends the postings list: encodes its last blocks, which have fewer than 128 numbers. After this call, the
 * output windows hold the end of the list.
 */
export function finish(): void {
  if (placeCount > 0) closeDocument();
  if (inBlock > 0) writeLastBlock();
  if (inPlacesBlock > 0) writeLastPlaces();
  writeState();
}

/**
 * Counts the documents in which each form of the term occurs. Reads the occurrences from the address `from` to
 * `end`.
 */
export function countForms(from: usize, end: usize): void {
  memory.fill(formDocs, 0, MAX_FORMS * 4);
  memory.fill(formSeen, 0xff, MAX_FORMS * 4);
  for (let at = from; at < end; at += 8) {
    const key = load<u32>(at);
    const slot: usize = (key >> 24) << 2;
    if (load<u32>(formSeen + slot) === (key & 0xffffff)) continue;
    store<u32>(formSeen + slot, key & 0xffffff);
    store<u32>(formDocs + slot, load<u32>(formDocs + slot) + 1);
  }
}

function writeState(): void {
  store<u32>(state, docCount, DOC_COUNT);
  store<u32>(state, <u32>(postings - postingsAt), POSTINGS_LENGTH);
  store<u32>(state, <u32>(positions - positionsAt), POSITIONS_LENGTH);
}

function openDocument(doc: u32): void {
  store<u32>(gaps + (inBlock << 2), doc - lastDoc - 1);
  lastDoc = doc;
  docCount++;
}

function addPlace(place: u32, form: u32): void {
  const position = place >> 3;
  const field = place & 7;
  const slot: usize = inPlacesBlock << 2;
  store<u32>(placeGaps + slot, position - lastPosition);
  store<u32>(fields + slot, field);
  store<u32>(forms + slot, form);
  lastPosition = position;
  frequency += <u32>((weights >> (field << 3)) & 0xff);
  placeCount++;
  if (hasForms) noteForm(form);
  if (++inPlacesBlock === BLOCK) endPlacesBlock();
}

function noteForm(form: u32): void {
  const slot: usize = form << 2;
  if (load<u32>(formSeen + slot) === docCount) return;
  store<u32>(formSeen + slot, docCount);
  store<u32>(formDocs + slot, load<u32>(formDocs + slot) + 1);
}

function closeDocument(): void {
  const slot: usize = inBlock << 2;
  store<u32>(frequencies + slot, frequency - 1);
  store<u32>(counts + slot, placeCount - 1);
  if (frequency !== UNIT * placeCount) isMixed = true;
  placesInBlock += placeCount;
  frequency = 0;
  placeCount = 0;
  lastPosition = 0;
  if (++inBlock === BLOCK) endBlock();
}

/**
 * Encodes a full block of 128 postings. The size of the block's head is known only after its body is packed.
 * Therefore the body is packed first and then moved to make room for the head.
 */
function endBlock(): void {
  const body = postings + 32;
  let end = pack(gaps, body, false);
  if (isMixed) end = pack(frequencies, end, false);
  end = pack(counts, end, false);
  const length = <u32>(end - body);
  let at = putVarint(postings, lastDoc - lastOfBlock);
  at = putVarint(at, 2 * length + (isMixed ? 1 : 0));
  at = putVarint(at, placesInBlock);
  at = putPlacesStep(at);
  memory.copy(at, body, length);
  postings = at + length;
  lastOfBlock = lastDoc;
  inBlock = 0;
  isMixed = false;
  placesInBlock = 0;
  placesAt = positionsTaken + <u32>(positions - positionsAt);
}

function putPlacesStep(to: usize): usize {
  const step = placesAt - placesBefore;
  placesBefore = placesAt;
  return putVarint(to, step);
}

function writeLastBlock(): void {
  let at = docCount > inBlock ? putPlacesStep(postings) : postings;
  for (let i: usize = 0; i < <usize>(inBlock << 2); i += 4) {
    const places = load<u32>(counts + i) + 1;
    const weight = load<u32>(frequencies + i) + 1;
    const isOneWord = places === 1 && weight === UNIT;
    at = putVarint(at, 2 * load<u32>(gaps + i) + (isOneWord ? 0 : 1));
    if (isOneWord) continue;
    at = putVarint(at, places - 1);
    at = putVarint(at, weight - LEAST_WEIGHT * places);
  }
  postings = at;
}

function endPlacesBlock(): void {
  const body = positions + 32;
  let end = pack(placeGaps, body, true);
  end = pack(fields, end, false);
  if (hasForms) end = pack(forms, end, false);
  const at = putVarint(positions, <u32>(end - body));
  memory.copy(at, body, end - body);
  positions = at + (end - body);
  inPlacesBlock = 0;
  hasPlacesBlocks = true;
}

function writeLastPlaces(): void {
  let at = positions;
  if (hasPlacesBlocks) store<u8>(at++, 0);
  for (let i: usize = 0; i < <usize>(inPlacesBlock << 2); i += 4) {
    const kind = FORM_SCALE * load<u32>(forms + i) + load<u32>(fields + i);
    at = putVarint(at, 2 * load<u32>(placeGaps + i) + (kind === 0 ? 0 : 1));
    if (kind > 0) at = putVarint(at, kind);
  }
  positions = at;
}
