/** Recognises the lines around the content of a page by their purpose: page turners and the lines of a footer. */

/** Values of `rel` for links to the neighbours of a page in a sequence. */
const TURNER = /(?:^|\s)(?:next|prev|previous|up|start|first|last|contents|toc)(?:\s|$)/i;

/** The maximum length of a line of a footer. */
const LONGEST_FOOTER = 400;
const COPYRIGHT = /^\W*(?:copyright\b|©|\(c\)\s*\d{4})/i;
const FOOTER =
  /^\W*(?:(?:this (?:page|document) (?:was )?)?(?:last )?(?:updated|modified|changed|revised|generated|created|built|produced|rendered)(?: (?:on|at|by|with|using|from))?\b|powered by|all rights reserved|(?:licensed|distributed) under|retrieved from|website design|page source|report (?:a|an) )|(?:all rights reserved\.?|powered by \S+|(?:generated|created|built|made) (?:by|with|using) \S+(?: [\d.]+)?)\W*$/i;

export function isPageTurner(rel: string): boolean {
  return TURNER.test(rel);
}

/** `length` is that of the whole line, of which `line` is the beginning. */
export function isFooterLine(line: string, length: number): boolean {
  return length <= LONGEST_FOOTER && (COPYRIGHT.test(line) || FOOTER.test(line));
}
