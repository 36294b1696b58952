/**
 * Divides a page into passages, the texts that are embedded. Each passage starts with the title of the page,
 * because most passages do not repeat their subject. In the first passage, the headings and the beginning of
 * the main content follow; each later passage continues the main content.
 */

/** The texts of a page from which passages are made. */
interface PassageSource {
  title: string;
  /** The headings of the main content. They take at most a quarter of the first passage. */
  headings: readonly string[];
  text: string;
}

/**
 * The assumed number of letters per token, to choose the length of a passage. The real average is about 4.5 in
 * English prose and 3 in source code. The embedder ignores the last words of a passage that is too long. If a
 * passage is too short, nothing is lost, because the next passage continues there.
 */
const LETTERS_PER_TOKEN = 4;
/**
 * The minimum length of a last passage in letters. A shorter passage is dropped, because its text says too
 * little.
 */
const MIN_PASSAGE = 200;

/**
 * Returns between one and `count` passages of about `maxTokens` tokens. The cost does not depend on the length
 * of the text.
 */
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

/**
 * Returns at most `length` letters from `start` on. Cuts at the end of a word, if a word ends in the second
 * half of these letters.
 */
function cut(text: string, start: number, length: number): string {
  if (text.length - start <= length) return text.slice(start);
  const part = text.slice(start, start + length);
  const end = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'));
  return end > length / 2 ? part.slice(0, end) : part;
}
