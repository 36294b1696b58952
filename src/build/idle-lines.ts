/**
 * Finds lines of a page that are not useful as a quotation: items of a list of links (such as a table of
 * contents), lines with dot leaders, copyright notices, rows of links to neighbouring pages, and lines without a
 * letter or digit. Searches find their words, but snippets do not quote them.
 */
import { eachLine, headingLevel, isNavigationLine, type Page, type Range } from '../page/mod.ts';

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
/** A line without links directly above a list of links belongs to it if it has at most this many characters. */
const CAPTION_LENGTH = 25;
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
  /^\W*(?:(?:\p{L}+ )?copyright (?:©|\(c\)|\d{4})|©|\(c\) ?\d{4}|all rights reserved|(?:distributed|licensed) under the |permission is (?:hereby )?granted)/iu;

interface IdleLines {
  /** The lists of links. A page without other text is quoted with them. */
  lists: Range[];
  /** The other lines, which are quoted only if the page has nothing else. */
  others: Range[];
}

export function idleLines({ text, marks }: Pick<Page, 'text' | 'marks'>): IdleLines {
  const lists = new LinkLists();
  const mayHaveLeaders = LEADER_STARTS.some((start) => text.includes(start));
  const others: Range[] = [];
  eachLine(text, marks, (start, end, linked, isHeading) => {
    const line = text.slice(start, Math.min(end, start + TESTED_LENGTH));
    const isNotice = (mayHaveLeaders && LEADERS.test(line)) || COPYRIGHT.test(line);
    if (isNotice || (!isHeading && isEmpty(line))) others.push([start, end]);
    else if (linked > LINKED_SHARE * (end - start)) lists.addItem([start, end]);
    else if (end - start <= LABEL_LENGTH && !isHeading) lists.addLabel([start, end]);
    else {
      lists.endList();
      if (end - start <= CAPTION_LENGTH && !isHeading) lists.addCaption([start, end]);
    }
  });
  return { lists: lists.finish(), others };
}

/** Matches the name of a picture, which some programs write as the text of the picture. */
const PICTURE_FILE = /^\S+\.(?:png|jpe?g|gif|svg|webp|bmp)$/i;

/** Returns true if a line has no letter or digit, is the name of a picture, or leads to neighbouring pages. */
function isEmpty(line: string): boolean {
  return !/[\p{L}\p{N}]/u.test(line) || PICTURE_FILE.test(line) || isNavigationLine(line);
}

/** The number of lines at the end of a page that are searched for links to neighbouring pages. */
const TURNER_LINES = 8;

/**
 * Returns the ranges of the text outside of the contents of a page: the lines above its first heading that is
 * not boilerplate, and the links to neighbouring pages at its end with the lines after them. Returns null if the page has
 * no such heading, so that its contents cannot be told from the menus of its site.
 */
export function aroundContents({ text, marks, boilerplate = [] }: Page): Range[] | null {
  const isOwn = (at: number) => !boilerplate.some(([start, end]) => start <= at && at < end);
  const first = marks.find(({ start, kind }) => headingLevel(kind) > 0 && isOwn(start));
  if (!first) return null;
  const lines: Range[] = [];
  eachLine(text, marks, (start, end) => lines.push([start, end]));
  const turner = lines
    .slice(-TURNER_LINES)
    .find(([start, end]) => start > first.end && isNavigationLine(text.slice(start, end)));
  return turner
    ? [
        [0, first.start],
        [turner[0], text.length],
      ]
    : [[0, first.start]];
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

  /** Adds a short line. Without an item before it, it may be the caption of the list that follows. */
  addLabel(line: Range): void {
    this.#labels = this.#items > 0 ? [...this.#labels, line] : [line];
  }

  /** Adds a line that is the caption of a list if an item follows directly, such as "List of Figures". */
  addCaption(line: Range): void {
    this.#labels = [line];
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
