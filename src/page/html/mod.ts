/**
 * Reads HTML in one pass without a tree: tokens, visible text with marks, links, metadata, microdata,
 * infoboxes, and the ranges of content and boilerplate. Broken markup never throws.
 */

export { AddressResolver } from './address-resolver.ts';
export { pageOfHtml, parseHtml } from './html-page.ts';
export { readHtml } from './html-reader.ts';
export {
  AttributeScanner,
  afterBogusComment,
  afterDeclaration,
  endTagAt,
  isLetter,
  nameEnd,
  scriptEndAt,
} from './html-tokens.ts';
export { type InfoboxRow, readInfobox } from './infobox.ts';
export { isNavigationLine } from './page-edges.ts';
