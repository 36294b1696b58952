/**
 * What kind of link a link is. A site that links to itself praises itself, and a link that stands on every page
 * of a site (menus, footers) was made once, not once for each page; both count for less.
 *
 * Pages come host by host. The links of a host are kept until it ends, to see which targets most of its
 * pages have; of a very large host only the first ones are, as what stands on all pages stands on those.
 */
import { UintList } from './uint-list.ts';

export const LinkKind = { outside: 0, inside: 1, template: 2 } as const;
export type LinkKind = (typeof LinkKind)[keyof typeof LinkKind];

/** What a link of each kind counts. */
export const LINK_WEIGHTS: readonly number[] = [1, 0.5, 0.1];

/** With fewer pages a site has no template worth the name. */
const MIN_PAGES = 8;
/** A target on this part of all pages is in the template. */
const TEMPLATE_PART = 0.5;
const MAX_KEPT_LINKS = 4 * 1024 * 1024;

type Emit = (source: number, target: number, kind: LinkKind) => void;

export class TemplateLinks {
  readonly #emit: Emit;
  readonly #isInside: (source: number, target: number) => boolean;
  #sources = new UintList();
  #targets = new UintList();
  readonly #pagesOf = new Map<number, number>();
  #pages = 0;
  /** Null until it is decided. */
  #template: Set<number> | null = null;

  constructor(isInside: (source: number, target: number) => boolean, emit: Emit) {
    this.#isInside = isInside;
    this.#emit = emit;
  }

  /** One page of the host at hand, with the distinct nodes it links to. */
  addPage(source: number, targets: Iterable<number>): void {
    this.#pages++;
    for (const target of targets) {
      if (this.#template) {
        this.#pass(source, target);
        continue;
      }
      this.#sources.push(source);
      this.#targets.push(target);
      this.#pagesOf.set(target, (this.#pagesOf.get(target) ?? 0) + 1);
    }
    if (!this.#template && this.#targets.length >= MAX_KEPT_LINKS) this.#decide();
  }

  endHost(): void {
    if (!this.#template) this.#decide();
    this.#template = null;
    this.#pages = 0;
  }

  #decide(): void {
    const threshold = Math.max(MIN_PAGES, this.#pages) * TEMPLATE_PART;
    const isLargeEnough = this.#pages >= MIN_PAGES;
    this.#template = new Set(
      isLargeEnough
        ? this.#pagesOf.entries().flatMap(([target, pages]) => (pages >= threshold ? [target] : []))
        : [],
    );
    const targets = this.#targets.view();
    this.#sources.view().forEach((source, at) => {
      this.#pass(source, targets[at]!);
    });
    this.#sources = new UintList();
    this.#targets = new UintList();
    this.#pagesOf.clear();
  }

  #pass(source: number, target: number): void {
    const isTemplate = this.#template!.has(target);
    const kind = this.#isInside(source, target) ? LinkKind.inside : LinkKind.outside;
    this.#emit(source, target, isTemplate ? LinkKind.template : kind);
  }
}
