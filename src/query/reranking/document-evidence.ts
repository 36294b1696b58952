/**
 * Reads properties of a document that affect its score from the columns of its segment: length, URL, host name,
 * ranks, age.
 */
import { type DocId, isAuxiliaryType, type OpenSegment, urlLanguageOf } from '../../index/mod.ts';
import { type DocumentEvidence, type Profile, type RoughDocument, standingOf } from '../../scoring/mod.ts';
import { isInOtherScript, isOtherScript, type Stemming } from '../../text/mod.ts';
import { knownTermOf, nameWords, type TermQuery, type WordTerm } from '../terms/mod.ts';

/**
 * Only host names that contain the first three letters (BEGINNING) of a query term are compared with the query. This quickly
 * rules out most hosts.
 */
const BEGINNING = 3;

/**
 * How the words of the query match a host name. `inHost` is true for each word that the host name contains, also
 * through a synonym ("postgres" for postgresql.org). `fill` is the share of the host name that the words cover.
 */
interface HostNames {
  inHost: readonly boolean[];
  fill: number;
}

/**
 * Reads the properties of a segment's documents for a query. The age of a document is counted from `newestDay`, the
 * day of the newest live document in the index, and not from today, so that the same index always gives the same
 * ranking.
 */
export class EvidenceColumns {
  readonly #segment: OpenSegment;
  readonly #profile: Profile;
  readonly #newestDay: number;
  readonly #stemming: Stemming;
  /** For each word of the query, its terms; and the first letters of all terms. */
  readonly #words: readonly (readonly string[])[];
  readonly #beginnings: readonly string[];
  /** The names of hosts that were compared with the query, by the number of the host. */
  readonly #hosts: (HostNames | undefined)[] = [];
  readonly #nobody: HostNames;
  /** True for each type of document that is auxiliary, and for each language that is in the script of the query. */
  readonly #isAuxiliary: readonly boolean[];
  readonly #isRead: readonly boolean[];
  readonly #standings: Float64Array;
  readonly #rough: RoughDocument;

  constructor(query: TermQuery, newestDay: number, segment: OpenSegment, profile: Profile) {
    const { words, terms, stemming } = query;
    const { table } = segment.reader;
    this.#segment = segment;
    this.#profile = profile;
    this.#newestDay = newestDay;
    this.#stemming = stemming;
    this.#words = words.map((word, at) => namesOfWord(word, terms[at]!, stemming));
    this.#beginnings = this.#words.flatMap((terms) => terms.map((term) => term.slice(0, BEGINNING)));
    this.#nobody = { inHost: words.map(() => false), fill: 0 };
    this.#isAuxiliary = table.types.map(isAuxiliaryType);
    this.#isRead = table.languages.map(scriptTestOf(query));
    this.#standings = standingsOf(segment, profile, newestDay);
    this.#rough = {
      length: 0,
      subjectLength: 0,
      urlDepth: 0,
      hostFill: 0,
      isReadable: false,
      isEntry: false,
      standing: 0,
      inHost: this.#nobody.inHost,
    };
  }

  document(doc: DocId): DocumentEvidence {
    const { reader, ranks, hostSignals } = this.#segment;
    const { table } = reader;
    const host = table.hostOf[doc]!;
    return {
      length: table.lengths[doc]!,
      titleLength: table.titleLengths[doc]!,
      subjectStart: table.subjectStarts[doc]!,
      subjectLength: table.subjectLengths[doc]!,
      subjectSize: table.subjectSizes[doc]!,
      contentStart: table.contentStarts[doc]!,
      nameLength: table.nameLengths[doc]!,
      isEntry: table.entries[doc] === 1,
      urlLanguage: urlLanguageOf(table.urlFits[doc]!),
      isAuxiliary: this.#isAuxiliary[table.typeOf[doc]!]!,
      urlDepth: table.urlDepths[doc]!,
      hostFill: this.names(doc).fill,
      rank: ranks?.[doc] ?? 0,
      hostRank: hostSignals?.rank[host] ?? null,
      trust: hostSignals?.trust[host] ?? null,
      farm: hostSignals?.farm[host] ?? null,
      concentration: hostSignals?.concentration[host] ?? null,
      ageDays: table.days[doc]! === 0 ? null : this.#newestDay - table.days[doc]!,
      isReadable: this.#isReadable(doc),
      quality: table.qualities[doc]! === 0 ? null : table.qualities[doc]! / 255,
    };
  }

  /**
   * Returns the properties that the rough score of this ranking profile needs. The returned object is reused: the
   * next call changes it.
   */
  rough(doc: DocId): RoughDocument {
    const { table } = this.#segment.reader;
    const standings = this.#standings;
    if (Number.isNaN(standings[doc])) standings[doc] = standingOf(this.#profile, this.document(doc));
    const { inHost, fill } = this.names(doc);
    const rough = this.#rough;
    rough.length = table.lengths[doc]!;
    rough.subjectLength = table.subjectLengths[doc]!;
    rough.urlDepth = table.urlDepths[doc]!;
    rough.hostFill = fill;
    rough.isReadable = this.#isReadable(doc);
    rough.isEntry = table.entries[doc] === 1;
    rough.standing = standings[doc]!;
    rough.inHost = inHost;
    return rough;
  }

  names(doc: DocId): HostNames {
    const { table } = this.#segment.reader;
    const host = table.hostOf[doc]!;
    const known = this.#hosts[host];
    if (known) return known;
    const name = table.hosts[host]!;
    const isLikely = this.#beginnings.some((beginning) => name.includes(beginning));
    const names = isLikely ? namesIn(name, this.#words, this.#stemming) : this.#nobody;
    this.#hosts[host] = names;
    return names;
  }

  #isReadable(doc: DocId): boolean {
    const { table } = this.#segment.reader;
    return table.stemmings[doc] === this.#stemming && this.#isRead[table.languageOf[doc]!]!;
  }
}

/**
 * Returns a function that tells if documents in a language are written in the script of the query. Languages such as
 * Japanese have the same stemming as English, because their pages often contain English words. But a searcher who
 * types English words seldom reads Japanese.
 */
function scriptTestOf({ typed }: Pick<TermQuery, 'typed'>): (language: string) => boolean {
  const isOther = typed.some((words) => words.some(isInOtherScript));
  return (language) => language === '' || isOtherScript(language) === isOther;
}

interface Standings {
  profile: Profile;
  newestDay: number;
  values: Float64Array;
}

const knownStandings = new WeakMap<OpenSegment, Standings>();

/**
 * Returns the query-independent scores of a segment's documents, as a cache. NaN means that the score was not
 * computed yet.
 */
function standingsOf(segment: OpenSegment, profile: Profile, newestDay: number): Float64Array {
  const known = knownStandings.get(segment);
  if (known && known.profile === profile && known.newestDay === newestDay) return known.values;
  const values = new Float64Array(segment.reader.docCount).fill(Number.NaN);
  knownStandings.set(segment, { profile, newestDay, values });
  return values;
}

/**
 * Returns the terms that match a word in the language of the query: first the term of the word itself, then the
 * terms of other spellings and of synonyms.
 */
function namesOfWord(word: string, terms: readonly WordTerm[], stemming: Stemming): string[] {
  const isName = ({ role, stemmings }: WordTerm) =>
    role !== 'completion' && (stemmings & (1 << stemming)) !== 0;
  return [word, ...terms.filter(isName).map(({ term }) => term)];
}

/** Compares a host name with the query. `words[i]` has the terms of word i, the word's own term first. */
function namesIn(host: string, words: readonly (readonly string[])[], stemming: Stemming): HostNames {
  const name = nameWords(host).map((word) => knownTermOf(word, stemming));
  const joined = words.map(([own]) => own).join('');
  if (name.includes(joined)) return { inHost: words.map(() => true), fill: 1 / name.length };
  const inHost = words.map((terms) => terms.some((term) => name.includes(term)));
  const found = inHost.filter(Boolean).length;
  return { inHost, fill: name.length > 0 ? Math.min(1, found / name.length) : 0 };
}
