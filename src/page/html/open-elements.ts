/**
 * Tracks the open elements, which are the path from the root of the page to the current position. The HTML
 * reader needs no more than this path.
 *
 * The rules are a simplified form of the HTML standard. A start tag ends elements of its group that may lack
 * an end tag (`<li>` ends `<li>`, any block ends `<p>`). An end tag ends the innermost element of its name
 * and all elements inside it. But an end tag of an inline element ends nothing outside the block around it,
 * and no end tag ends anything outside the table cell around it. An end tag without a matching element is
 * ignored.
 *
 * The search for the matching element is bounded, so broken markup takes linear time.
 */
import type { Tag } from './html-tags.ts';

const FARTHEST = 64;

export class OpenElements {
  /** The tags on the path. Only the first `#depth` entries are open elements. */
  readonly #tags: Tag[] = [];
  #depth = 0;

  get depth(): number {
    return this.#depth;
  }

  /** Opens an element and returns its depth. */
  open(tag: Tag): number {
    const tags = this.#tags;
    let depth = this.#depth;
    if (tag.ends !== 0) while (depth > 0 && (tags[depth - 1]!.kin & tag.ends) !== 0) depth--;
    tags[depth] = tag;
    this.#depth = depth + 1;
    return this.#depth;
  }

  /** Handles an end tag. Returns true if a matching element was open. */
  close(tag: Tag): boolean {
    const last = this.#depth - 1;
    if (last < 0 || this.#tags[last] !== tag) return this.#closeFarther(tag, last);
    this.#depth = last;
    return true;
  }

  #closeFarther(tag: Tag, last: number): boolean {
    const first = Math.max(0, last - FARTHEST);
    for (let i = last; i >= first; i--) {
      const open = this.#tags[i]!;
      if (open === tag) {
        this.#depth = i;
        return true;
      }
      if (tag.isTablePart ? open.name === 'table' : open.isTablePart) return false;
      if (open.isContainer && !tag.isContainer) return false;
    }
    return false;
  }
}
