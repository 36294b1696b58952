/** Recognises lines around the content of a page: links to the next or previous page, and footer lines. */

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
