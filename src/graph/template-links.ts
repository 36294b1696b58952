/**
 * Classifies links: to another site, within the site, or part of the template of the site (a menu or footer,
 * which is on most pages). A link within a site says less about its target than a link from another site, and a
 * template link was made once for all pages. Therefore both have a lower weight.
 *
 * Pages are added host by host. The links of a host are kept in memory until all its pages are added, to find
 * the targets that most pages link to. For a very large host only its first links are used for this, because
 * a link on all pages is on the first pages too.
 */
import { UintList } from './tiles/mod.ts';

const LinkKind = { outside: 0, inside: 1, template: 2 } as const;
type LinkKind = (typeof LinkKind)[keyof typeof LinkKind];

/** The weight of a link to another site, of a link within the site, and of a template link. */
export const LINK_WEIGHTS: readonly number[] = [1, 0.5, 0.1];

/**
 * The minimum number of pages of a host with a template. Hosts with fewer pages count as hosts without a
 * template.
 */
const MIN_PAGES = 8;
/**
 * The minimum share of the pages of a host that link to a target, for the link to be part of the template.
 */
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
  /** The nodes that the template of the current host links to; null until they have been determined. */
  #template: Set<number> | null = null;

  constructor(isInside: (source: number, target: number) => boolean, emit: Emit) {
    this.#isInside = isInside;
    this.#emit = emit;
  }

  /** Adds a page of the current host. `targets` are the distinct nodes that it links to. */
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
