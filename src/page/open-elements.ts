/**
 * Which elements are open: as much of a tree as the reader needs, the path from its root to here.
 *
 * Rules are those of the HTML standard in short. A start tag ends those of its kin that may lack an
 * end tag (`<li>` ends `<li>`, any block ends `<p>`). An end tag ends the innermost element of its
 * name and all inside it, but that of an inline element does not reach past a block, nor any past
 * the table cell around it. One that finds nothing to end means nothing.
 *
 * The search for what an end tag ends is bounded, so broken markup costs linear time.
 */
import type { Tag } from './html-tags.ts';

const FARTHEST = 64;

export class OpenElements {
  /** The first `#depth` are open; what is behind them is left over. */
  readonly #tags: Tag[] = [];
  #depth = 0;

  get depth(): number {
    return this.#depth;
  }

  /** Returns the new depth, which is that of this element until it is closed. */
  open(tag: Tag): number {
    const tags = this.#tags;
    let depth = this.#depth;
    if (tag.ends !== 0) while (depth > 0 && (tags[depth - 1]!.kin & tag.ends) !== 0) depth--;
    tags[depth] = tag;
    this.#depth = depth + 1;
    return this.#depth;
  }

  /** Whether there was one to close. */
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
