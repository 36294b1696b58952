/**
 * Finds lines of a page that are not useful as a quotation: items of a list of links (such as a table of
 * contents), lines with dot leaders, and copyright notices. Searches find their words, but snippets do not
 * quote them.
 */
import { eachLine, type Page, type Range } from '../page/mod.ts';

/** The minimum share of linked text in a line that counts as an item of a list of links. */
const LINKED_SHARE = 0.6;
/**
 * The minimum number of consecutive link lines that count as a list. Fewer lines may be part of a sentence or a
 * reference.
 */
const SHORTEST_LIST = 3;
/**
 * A line without links counts as part of a list of links if it lies between two items and has at most this many
 * characters, such as a number or a label.
 */
const LABEL_LENGTH = 12;
/** Matches dot leaders and blanks to fill in: `Introduction . . . . . . 3`, `Name: ________`. */
const LEADERS = /(?:[.·] ?){5,}|(?:… ?){2,}|_{5,}/;
/**
 * Every text that matches LEADERS contains one of these strings. Searching for the strings first is faster than
 * running the regular expression.
 */
const LEADER_STARTS = ['..', '. .', '··', '· ·', '……', '… …', '__'];

/** The number of characters at the start of a line that are compared with LEADERS and COPYRIGHT. */
const TESTED_LENGTH = 400;
const COPYRIGHT =
  /^\W*(?:copyright (?:©|\(c\)|\d{4})|©|\(c\) ?\d{4}|all rights reserved|(?:distributed|licensed) under the |permission is (?:hereby )?granted)/i;

export function idleLines({ text, marks }: Page): Range[] {
  const lists = new LinkLists();
  const mayHaveLeaders = LEADER_STARTS.some((start) => text.includes(start));
  const idle: Range[] = [];
  eachLine(text, marks, (start, end, linked, isHeading) => {
    if (linked > LINKED_SHARE * (end - start)) lists.addItem([start, end]);
    else if (end - start <= LABEL_LENGTH && !isHeading) lists.addLabel([start, end]);
    else {
      lists.endList();
      const line = text.slice(start, Math.min(end, start + TESTED_LENGTH));
      if ((mayHaveLeaders && LEADERS.test(line)) || COPYRIGHT.test(line)) idle.push([start, end]);
    }
  });
  return [...lists.finish(), ...idle];
}

/** Collects the lines of a page that belong to a list of links. */
class LinkLists {
  readonly #lines: Range[] = [];
  /** The lines of the list that is being read: its items and the short labels between them. */
  #list: Range[] = [];
  #items = 0;
  /** Short lines after the last item. They become part of the list only if another item follows. */
  #labels: Range[] = [];

  addItem(line: Range): void {
    for (const label of this.#labels) this.#list.push(label);
    this.#list.push(line);
    this.#labels = [];
    this.#items++;
  }

  addLabel(line: Range): void {
    if (this.#items > 0) this.#labels.push(line);
  }

  endList(): void {
    if (this.#items >= SHORTEST_LIST) for (const line of this.#list) this.#lines.push(line);
    this.#list = [];
    this.#labels = [];
    this.#items = 0;
  }

  finish(): Range[] {
    this.endList();
    return this.#lines;
  }
}
