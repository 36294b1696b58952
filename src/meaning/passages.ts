/**
 * The texts of a page that are embedded. Each passage starts with the title, because most passages do not repeat what
 * they are about. The first passage continues with the headings and the beginning of the main content; the others
 * are further parts of it.
 */

/** A page as the model sees it. */
interface PassageSource {
  title: string;
  /** Headings of the main content; they take at most a quarter of the first passage. */
  headings: readonly string[];
  /** The main content. */
  text: string;
}

/**
 * Letters of a token, on average: 4.5 in English prose, 3 in source code. A passage that is cut too late loses its last
 * words in the embedder; one that is cut too early loses nothing, as the next passage continues there.
 */
const LETTERS_PER_TOKEN = 4;
/** A last passage of fewer letters says too little to have a vector of its own. */
const MIN_PASSAGE = 200;

/** Returns one to `count` passages of about `maxTokens` tokens. The cost does not depend on the length of the text. */
export function passagesOf(page: PassageSource, count: number, maxTokens: number): string[] {
  const size = maxTokens * LETTERS_PER_TOKEN;
  const title = cut(page.title, 0, size >> 2);
  const headings = cut(page.headings.join('. '), 0, size >> 2);
  const opening = [title, headings].filter(Boolean).join('\n');
  const first = cut(page.text, 0, size - opening.length);
  const passages = [`${opening}\n${first}`.trim()];
  for (let at = first.length; passages.length < count && page.text.length - at >= MIN_PASSAGE; ) {
    const part = cut(page.text, at, size - title.length);
    passages.push(`${title}\n${part}`.trim());
    at += part.length;
  }
  return passages;
}

/** Returns at most `length` letters from `start`, up to the end of a word if there is one in the second half. */
function cut(text: string, start: number, length: number): string {
  if (text.length - start <= length) return text.slice(start);
  const part = text.slice(start, start + length);
  const end = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'));
  return end > length / 2 ? part.slice(0, end) : part;
}
