/** Recognises lines around the content of a page: links to neighbouring pages, and footer lines. */

/** Matches values of `rel` for links to neighbouring pages in a sequence, such as `next`. */
const TURNER = /(?:^|\s)(?:next|prev|previous|up|start|first|last|contents|toc)(?:\s|$)/i;

const LONGEST_FOOTER = 400;
const COPYRIGHT = /^\W*(?:copyright\b|©|\(c\)\s*\d{4})/i;
const FOOTER =
  /^\W*(?:(?:this (?:page|document) (?:was )?)?(?:last )?(?:updated|modified|changed|revised|generated|created|built|produced|rendered)(?: (?:on|at|by|with|using|from))?\b|powered by|all rights reserved|(?:licensed|distributed) under|retrieved from|website design|page source|report (?:a|an) )|(?:all rights reserved\.?|powered by \S+|(?:generated|created|built|made) (?:by|with|using) \S+(?: [\d.]+)?)\W*$/i;

export function isPageTurner(rel: string): boolean {
  return TURNER.test(rel);
}

/**
 * Returns true if a line belongs to a footer. `line` is the beginning of the line, and `length` the length of
 * the whole line.
 */
export function isFooterLine(line: string, length: number): boolean {
  return length <= LONGEST_FOOTER && (COPYRIGHT.test(line) || FOOTER.test(line));
}

/**
 * Words of links to neighbouring pages, in the languages in which Texinfo, DocBook and similar programs write
 * them. `_` joins the words of one expression.
 */
const TURNER_WORDS = wordsIn(
  `next previous prev up weiter zurück nach_oben suivant précédent page_suivante page_précédente niveau_supérieur
  siguiente anterior subir successivo precedente indietro avanti próximo seguinte acima volgende vorige omhoog
  nästa föregående upp neste forrige opp næste op dalej wstecz następny poprzedni
  далее назад вперёд пред след наверх предыдущая следующая
  次へ 前へ 戻る 上へ 次のページ 前のページ 上に戻る 上一页 下一页 上一級 다음 이전 위로`,
);
/** Words of links to pages such as the front page. They are navigation only beside other such links. */
const PLACE_WORDS = wordsIn(
  `top home back forward first last contents toc index table_of_contents main_page start
  vor anfang inhalt inhaltsverzeichnis startseite haut sommaire table_des_matières accueil début retour
  arriba inicio contenido índice índice_general tabla_de_contenidos su sommario indice
  início sumário conteúdo inhoud begin innehåll hem hjem spis_treści
  начало содержание ホーム 目次 目录 首页 처음으로 차례`,
);
const LONGEST_NAVIGATION = 300;
/** Matches the marks between navigation words: `Prev | Up`, `[Contents][Index]`, `<<< Prev`. */
const NAVIGATION_MARKS = /[^\p{L}\p{M}\p{N} ]+/u;
/** Matches the words before the title of a page: `Next: Usage`. */
const TITLED = /((?:\p{L}+ )?)(\p{L}+)\s?:(?=\s)/gu;
/** Matches the title of a page between arrows: `<< Setup <<`. */
const BETWEEN_ARROWS = /^(<{1,3}|>{1,3}|←|→|◄|►)\s?[^<>]{1,80}\s?\1$/u;
/** Matches the letters of an alphabetical index: `A | B | C | D | E`. */
const LETTERS = /^(?:\p{L}[^\p{L}\p{N}]+){4,}\p{L}[^\p{L}\p{N}]*$/u;

/**
 * Returns true if a line only leads to other pages of a document: `Prev | Up | Next`, or
 * `Next: Usage, Previous: Setup, Up: Manual [Contents]`.
 */
export function isNavigationLine(line: string): boolean {
  if (line.length > LONGEST_NAVIGATION) return false;
  if (BETWEEN_ARROWS.test(line) || LETTERS.test(line)) return true;
  const words = line
    .toLowerCase()
    .split(NAVIGATION_MARKS)
    .flatMap((part) => part.trim() || []);
  const turners = words.filter(isTurner).length;
  const places = words.filter((word) => PLACE_WORDS.has(word)).length;
  if (turners + places === words.length && 2 * turners + places >= 2) return true;
  const titled = Array.from(line.toLowerCase().matchAll(TITLED));
  const named = titled.filter(([, before, word]) => isTurner(word!) || isTurner(before! + word!)).length;
  return named >= 2 || (named === 1 && /\[\p{L}+\]\s*$/u.test(line));
}

/** Returns true for the word of a turner, or several: `next`, `prev up`. */
function isTurner(text: string): boolean {
  return TURNER_WORDS.has(text) || text.split(/ +/).every((word) => TURNER_WORDS.has(word));
}

function wordsIn(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).map((word) => word.replaceAll('_', ' ')));
}
