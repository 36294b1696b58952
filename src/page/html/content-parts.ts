/** Collects the parts of a page that its text alone does not show: pictures with their captions, and blocks of code. */
import type { CodeBlock } from '../page.ts';
import { CodeCollector } from './code-collector.ts';
import { Role } from './html-tags.ts';
import type { AttributeScanner } from './html-tokens.ts';
import { ImageCollector, type RawImage } from './image-collector.ts';

export interface ContentParts {
  images: readonly RawImage[];
  code: readonly CodeBlock[];
}

export class PartCollector {
  readonly #images = new ImageCollector();
  readonly #code: CodeCollector;

  constructor(source: Buffer) {
    this.#code = new CodeCollector(source);
  }

  get found(): ContentParts {
    return { images: this.#images.images, code: this.#code.blocks };
  }

  /** `from` is the byte after the start tag, `at` the length of the text before it. Returns `from`. */
  open(role: Role, from: number, at: number): number {
    if (role === Role.figure) this.#images.openFigure();
    else if (role === Role.caption) this.#images.openCaption(at);
    else if (role === Role.code) this.#code.open(from, at);
    return from;
  }

  /** `from` is the first byte of the end tag, `at` the length of the text before it. */
  close(role: Role, from: number, at: number): void {
    if (role === Role.figure) this.#images.closeFigure();
    else if (role === Role.caption) this.#images.closeCaption(at);
    else if (role === Role.code) this.#code.close(from, at);
  }

  /** Returns the range of the picture's `alt` in the source, which is also part of the text; null if there is none. */
  addImage(attributes: AttributeScanner, at: number): [number, number] | null {
    this.#images.add(attributes, at);
    return attributes.rangeOf('alt');
  }
}
