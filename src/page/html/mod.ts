/**
 * HTML in one pass without a tree: tokens, visible text with marks, links, metadata, and which parts are content.
 * Broken markup never throws.
 */

export { AddressResolver } from './address-resolver.ts';
export { CharacterReference, decodeReferences } from './character-reference.ts';
export { pageOfHtml, parseHtml } from './html-page.ts';
export { readHtml } from './html-reader.ts';
export type { Tag } from './html-tags.ts';
export {
  AttributeScanner,
  afterBogusComment,
  afterDeclaration,
  endTagAt,
  isLetter,
  Note,
  nameEnd,
  scriptEndAt,
} from './html-tokens.ts';
