/**
 * Finds lines of the content that say nothing by themselves: the items of a list of links, such as a table of contents
 * or an index, lines with dot leaders, and copyright notices. Their words can be found, but a quotation of them would look
 * like a menu or a footer.
 */
import { eachLine, type Page, type Range } from '../page/mod.ts';

/** A line is an item of a list of links if at least this share of it is linked. */
const LINKED_SHARE = 0.6;
/** Fewer items in a row do not count as a list: they may be part of a sentence or a reference. */
const SHORTEST_LIST = 3;
/** Lines of at most this length between items, such as numbers and labels, belong to the list. */
const LABEL_LENGTH = 12;
/** `Introduction . . . . . . 3`, `Name: ________` */
const LEADERS = /(?:[.·] ?){5,}|(?:… ?){2,}|_{5,}/;
/** Every text with leaders contains one of these strings. They are searched first, which is faster than LEADERS. */
const LEADER_STARTS = ['..', '. .', '··', '· ·', '……', '… …', '__'];

/** Only this many characters at the start of a line are compared with LEADERS and COPYRIGHT. */
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

/** Collects the lines that are part of a list of links. */
class LinkLists {
  readonly #lines: Range[] = [];
  /** The items of the current list, and the labels between them. */
  #list: Range[] = [];
  #items = 0;
  /** Labels after the last item. They become part of the list if another item follows. */
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
