/**
 * Determines the kind of each link. A link within a site says less than one from another site, and a link
 * that is on every page of a site (menus, footers) was made once, not once per page; both kinds have a lower
 * weight.
 *
 * Pages are added host by host. The links of a host are kept in memory until its end, to find the targets
 * that most of its pages have. For a very large host the decision is made from its first links, because a
 * link on all pages is on the first pages too.
 */
import { UintList } from './tiles/mod.ts';

const LinkKind = { outside: 0, inside: 1, template: 2 } as const;
type LinkKind = (typeof LinkKind)[keyof typeof LinkKind];

/** The weight of a link of each kind. */
export const LINK_WEIGHTS: readonly number[] = [1, 0.5, 0.1];

/** A host with fewer pages has no template. */
const MIN_PAGES = 8;
/** A target on at least this share of the pages is part of the template. */
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
  /** The targets of the current host's template; null until they have been determined. */
  #template: Set<number> | null = null;

  constructor(isInside: (source: number, target: number) => boolean, emit: Emit) {
    this.#isInside = isInside;
    this.#emit = emit;
  }

  /** Adds a page of the current host, with the distinct nodes it links to. */
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
