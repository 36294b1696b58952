/**
 * Reads properties of a document that affect its score from the columns of its segment: length, URL, host name,
 * ranks, age.
 */
import { type DocId, isAuxiliaryType, type OpenSegment, urlLanguageOf } from '../../index/mod.ts';
import { type DocumentEvidence, type Profile, type RoughDocument, standingOf } from '../../scoring/mod.ts';
import { isInOtherScript, isOtherScript, type Stemming } from '../../text/mod.ts';
import { knownTermOf, nameWords, type TermQuery, type WordTerm } from '../terms/mod.ts';

/**
 * Only host names that contain the first BEGINNING letters of a query term are compared with the query. This quickly
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

interface ColumnsOf {
  document(doc: DocId): DocumentEvidence;
  /**
   * Returns the properties that the rough score of this ranking profile needs. The returned object is reused: the
   * next call changes it.
   */
  rough(doc: DocId): RoughDocument;
  names(doc: DocId): HostNames;
}

/**
 * Returns functions that read the properties of a segment's documents. The age of a document is counted from
 * `newestDay`, the day of the newest live document in the index, and not from today, so that the same index always
 * gives the same ranking.
 */
export function evidenceColumnsOf(
  query: TermQuery,
  newestDay: number,
  segment: OpenSegment,
  profile: Profile,
): ColumnsOf {
  const { table } = segment.reader;
  const { words, terms, stemming } = query;
  const nobody = { inHost: words.map(() => false), fill: 0 };
  const names = words.map((word, at) => namesOfWord(word, terms[at]!, stemming));
  const beginnings = names.flatMap((terms) => terms.map((term) => term.slice(0, BEGINNING)));
  const namesOf = memoized((host: number) => {
    const name = table.hosts[host]!;
    const isLikely = beginnings.some((beginning) => name.includes(beginning));
    return isLikely ? namesIn(name, names, stemming) : nobody;
  });
  const signals = segment.hostSignals;
  const isAuxiliary = table.types.map(isAuxiliaryType);
  const isInScript = scriptTestOf(query);
  const isRead = table.languages.map(isInScript);
  const isReadable = (doc: DocId) => table.stemmings[doc] === stemming && isRead[table.languageOf[doc]!]!;
  const hostNames = (doc: DocId) => namesOf(table.hostOf[doc]!);
  const document = (doc: DocId, host = table.hostOf[doc]!): DocumentEvidence => ({
    length: table.lengths[doc]!,
    titleLength: table.titleLengths[doc]!,
    subjectStart: table.subjectStarts[doc]!,
    subjectLength: table.subjectLengths[doc]!,
    subjectSize: table.subjectSizes[doc]!,
    contentStart: table.contentStarts[doc]!,
    nameLength: table.nameLengths[doc]!,
    isEntry: table.entries[doc] === 1,
    urlLanguage: urlLanguageOf(table.urlFits[doc]!),
    isAuxiliary: isAuxiliary[table.typeOf[doc]!]!,
    urlDepth: table.urlDepths[doc]!,
    hostFill: hostNames(doc).fill,
    rank: segment.ranks?.[doc] ?? 0,
    hostRank: signals?.rank[host] ?? null,
    trust: signals?.trust[host] ?? null,
    farm: signals?.farm[host] ?? null,
    concentration: signals?.concentration[host] ?? null,
    ageDays: table.days[doc]! === 0 ? null : newestDay - table.days[doc]!,
    isReadable: isReadable(doc),
    quality: table.qualities[doc]! === 0 ? null : table.qualities[doc]! / 255,
  });
  const standings = standingsOf(segment, profile, newestDay);
  const roughDocument: RoughDocument = {
    length: 0,
    subjectLength: 0,
    urlDepth: 0,
    hostFill: 0,
    isReadable: false,
    isEntry: false,
    standing: 0,
    inHost: nobody.inHost,
  };
  const rough = (doc: DocId): RoughDocument => {
    if (Number.isNaN(standings[doc])) standings[doc] = standingOf(profile, document(doc));
    const { inHost, fill } = hostNames(doc);
    roughDocument.length = table.lengths[doc]!;
    roughDocument.subjectLength = table.subjectLengths[doc]!;
    roughDocument.urlDepth = table.urlDepths[doc]!;
    roughDocument.hostFill = fill;
    roughDocument.isReadable = isReadable(doc);
    roughDocument.isEntry = table.entries[doc] === 1;
    roughDocument.standing = standings[doc]!;
    roughDocument.inHost = inHost;
    return roughDocument;
  };
  return { names: hostNames, document, rough };
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
 * Returns the terms that match a word in the language of the query: first its own term, then those of other
 * spellings and synonyms.
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

function memoized<Value>(compute: (key: number) => Value): (key: number) => Value {
  const known = new Map<number, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = compute(key);
      known.set(key, value);
    }
    return value;
  };
}
