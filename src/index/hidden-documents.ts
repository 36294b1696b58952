/**
 * The documents of a segment that searches do not find: deleted documents, feeds unless the query asks for
 * them, and documents that the family filter hides. Each set of hidden documents is computed at its first use.
 */
import type { DocId } from './document.ts';
import { DocumentKind, type FamilyLevel, isHiddenType, kindOf } from './document-type.ts';

import { DocSet, type SegmentReader } from './segment/mod.ts';

/**
 * The settings of the family filter: the level for searches that do not choose one, and the sites whose pages
 * all count as adult.
 */
export interface FamilyRule {
  level: FamilyLevel;
  isListed(host: string): boolean;
}

export const NO_FAMILY_RULE: FamilyRule = { level: 'off', isListed: () => false };

/** The settings of a search that decide which documents are hidden from it. */
export interface ShownDocuments {
  feeds: boolean;
  /** The family filter level that the search asks for; null for the default level of the index. */
  level: FamilyLevel | null;
}

export class HiddenDocuments {
  readonly #deletes: DocSet;
  readonly #reader: SegmentReader;
  readonly #family: FamilyRule;
  readonly #known = new Map<string, DocSet>();

  constructor(deletes: DocSet, reader: SegmentReader, family: FamilyRule) {
    this.#deletes = deletes;
    this.#reader = reader;
    this.#family = family;
  }

  /**
   * Returns the hidden documents of a search. If only deleted documents are hidden, returns that set itself,
   * without a copy.
   */
  without(shown: ShownDocuments): DocSet {
    const level = shown.level ?? this.#family.level;
    const key = `${shown.feeds} ${level}`;
    const known = this.#known.get(key) ?? this.#find(shown.feeds, level);
    this.#known.set(key, known);
    return known;
  }

  #find(feeds: boolean, level: FamilyLevel): DocSet {
    const { docCount, table } = this.#reader;
    const isType = table.types.map(
      (type) => isHiddenType(type, level) || (!feeds && kindOf(type) === DocumentKind.feed),
    );
    const isHost = table.hosts.map((host) => level !== 'off' && this.#family.isListed(host));
    if (!isType.includes(true) && !isHost.includes(true)) return this.#deletes;
    const hidden = new DocSet(docCount, this.#deletes.toBytes());
    for (let doc: DocId = 0; doc < docCount; doc++)
      if (isType[table.typeOf[doc]!] || isHost[table.hostOf[doc]!]) hidden.add(doc);
    return hidden;
  }
}
