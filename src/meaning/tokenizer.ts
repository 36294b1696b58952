/**
 * The WordPiece tokenizer of BERT models, from their `tokenizer.json`.
 *
 *   "Unaffable, isn't it?"  ->  [CLS] un ##aff ##able , isn ' t it ? [SEP]
 *
 * A word is divided from left to right into the longest pieces of the vocabulary; pieces that continue a word
 * are marked with ##. A word that cannot be divided, or is longer than 100 characters, is [UNK]. If a text
 * contains the name of a special token, such as `[SEP]`, it is treated as ordinary text, so that a page cannot
 * influence how it is embedded.
 *
 * A text is read only until enough tokens are found. The cost is linear in the length of the text that is read:
 * each character starts at most one piece, and no look-up is longer than the longest piece.
 */
import { BertCharacters } from './bert-characters.ts';
import { modelError } from './model-error.ts';

const CONTINUATION = '##';
const WORD = /^\p{L}{3,}$/u;

interface TokenizerFile {
  normalizer?: {
    type?: string;
    clean_text?: boolean;
    handle_chinese_chars?: boolean;
    strip_accents?: boolean | null;
    lowercase?: boolean;
  } | null;
  pre_tokenizer?: { type?: string } | null;
  truncation?: { max_length?: number } | null;
  model?: {
    type?: string;
    unk_token?: string;
    continuing_subword_prefix?: string;
    max_input_chars_per_word?: number;
    vocab?: Record<string, number>;
  };
}

export class Tokenizer {
  /**
   * The maximum number of tokens of a text, including the two special tokens, as the model's file states it;
   * undefined if the file states none.
   */
  readonly maxLength: number | undefined;
  /** The number of pieces in the vocabulary. Token ids are below this number. */
  readonly vocabularySize: number;
  readonly #characters: BertCharacters;
  readonly #maxWordLength: number;
  readonly #beginnings = new Map<string, number>();
  readonly #continuations = new Map<string, number>();
  readonly #longestPiece: number;
  readonly #begin: number;
  readonly #end: number;
  readonly #unknown: number;

  /** Parses a `tokenizer.json`. `path` is used in error messages only. */
  constructor(json: string, path: string) {
    const { normalizer, truncation, model } = checkFile(parseJson(json, path), path);
    const { lowercase = true, strip_accents: accents } = normalizer!;
    this.#characters = new BertCharacters({
      isLowerCase: lowercase,
      stripsAccents: accents ?? lowercase,
      cleansText: normalizer!.clean_text ?? true,
      splitsChinese: normalizer!.handle_chinese_chars ?? true,
    });
    this.maxLength = truncation?.max_length;
    this.#maxWordLength = model!.max_input_chars_per_word ?? 100;
    let longest = 0;
    let greatest = 0;
    for (const [piece, id] of Object.entries(model!.vocab!)) {
      const continues = piece.startsWith(CONTINUATION) && piece.length > CONTINUATION.length;
      if (continues) this.#continuations.set(piece.slice(CONTINUATION.length), id);
      else this.#beginnings.set(piece, id);
      longest = Math.max(longest, piece.length);
      greatest = Math.max(greatest, id);
    }
    this.#longestPiece = longest;
    this.vocabularySize = greatest + 1;
    const special = (token: string): number => {
      const id = this.#beginnings.get(token);
      if (id === undefined) throw modelError('model-unsupported', path, `the token ${token}`, 'none');
      return id;
    };
    this.#begin = special('[CLS]');
    this.#end = special('[SEP]');
    this.#unknown = special(model!.unk_token ?? '[UNK]');
  }

  /** Returns the ids of at most `maxTokens` tokens. The first is [CLS], the last is [SEP]. */
  encode(text: string, maxTokens: number): number[] {
    const limit = maxTokens - 1;
    const ids = [this.#begin];
    let word = '';
    for (let at = 0; at < text.length && ids.length < limit; ) {
      const codePoint = text.codePointAt(at)!;
      at += codePoint > 0xffff ? 2 : 1;
      const { kind, text: letters } = this.#characters.classify(codePoint);
      if (kind === 'skipped') continue;
      if (kind === 'letter') {
        // Further letters are dropped to save memory, because the word is already too long to be divided into
        // pieces.
        if (word.length <= 2 * this.#maxWordLength) word += letters;
        continue;
      }
      this.#divide(word, ids);
      word = '';
      if (kind === 'alone') this.#divide(letters, ids);
    }
    this.#divide(word, ids);
    if (ids.length > limit) ids.length = limit;
    ids.push(this.#end);
    return ids;
  }

  /**
   * Returns the ids of the pieces that begin a word and have at least three letters, or the ids of all pieces
   * if there are none.
   */
  wordIds(): number[] {
    const words = [...this.#beginnings].filter(([piece]) => WORD.test(piece)).map(([, id]) => id);
    return words.length > 0 ? words : [...this.#beginnings.values()];
  }

  #divide(word: string, ids: number[]): void {
    if (word === '') return;
    const before = ids.length;
    if (lengthOf(word) > this.#maxWordLength) {
      ids.push(this.#unknown);
      return;
    }
    let pieces = this.#beginnings;
    for (let from = 0; from < word.length; pieces = this.#continuations) {
      let to = Math.min(word.length, from + this.#longestPiece);
      let id = pieces.get(word.slice(from, to));
      while (id === undefined && --to > from) id = pieces.get(word.slice(from, to));
      if (id === undefined) {
        ids.length = before;
        ids.push(this.#unknown);
        return;
      }
      ids.push(id);
      from = to;
    }
  }
}

/** Returns the length of the word in characters, not in UTF-16 units. */
function lengthOf(word: string): number {
  let length = 0;
  for (const _ of word) length++;
  return length;
}

function parseJson(json: string, path: string): TokenizerFile {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // The next statement reports invalid JSON in the same way as JSON that is not an object.
  }
  throw modelError('model-damaged', path, 'a JSON object', `${json.length} other characters`);
}

function checkFile(file: TokenizerFile, path: string): TokenizerFile {
  const { normalizer, pre_tokenizer: splitter, model } = file;
  const found: [string, string, string | undefined][] = [
    ['a model', 'WordPiece', model?.type],
    ['a normalizer', 'BertNormalizer', normalizer?.type],
    ['a pre_tokenizer', 'BertPreTokenizer', splitter?.type],
    ['the continuing_subword_prefix', CONTINUATION, model?.continuing_subword_prefix ?? CONTINUATION],
  ];
  for (const [part, expected, got = 'none'] of found) {
    if (got !== expected) throw modelError('model-unsupported', path, `${part} ${expected}`, got);
  }
  const ids = Object.values(model?.vocab ?? {});
  if (ids.length === 0 || !ids.every((id) => Number.isSafeInteger(id) && id >= 0)) {
    throw modelError('model-damaged', path, 'a vocabulary of numbered tokens', `${ids.length} tokens`);
  }
  return file;
}
