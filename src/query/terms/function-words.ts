/**
 * A list of function words: "the", "of", "how". They connect a sentence but do not describe its topic. A query
 * searches for them too, but with less weight than for other words, because a visitor who pastes a sentence is
 * interested in its nouns. The setting `functionWords` of a ranking profile is the factor.
 *
 * The list is English only. In other languages, function words have less weight only because of their low IDF. The
 * words are folded, as the tokenizer returns them.
 */
const GROUPS: readonly string[] = [
  // Articles and conjunctions.
  'a an the and or but nor so yet if then else than as unless while whether because although though since until till',
  // Prepositions.
  'at by for from in into of off on onto out over per to toward towards under up upon via with within without about',
  'above across after against along among around before behind below beneath beside besides between beyond during',
  'except inside near through throughout like',
  // Pronouns.
  'i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its',
  'itself they them their theirs themselves this that these those there here who whom whose which what when where why',
  "how one ones i'm i'd i've i'll we're we've you're it'd they're they've there'd that'd",
  // Auxiliaries.
  'am is are was were be been being do does did done doing have has had having can could may might must shall should',
  "will would ought don't doesn't didn't isn't aren't wasn't weren't can't cannot couldn't won't wouldn't shouldn't",
  // Quantities and degrees.
  'not no any some all each every both either neither other others another such same own only just also too very much',
  'many more most less least few several',
  // Connecting adverbs.
  'however therefore thus hence again further once etc eg ie please',
];

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(GROUPS.flatMap((group) => group.split(' ')));

/**
 * Words that people add to the name of a site or product to find its start page, such as "documentation". A
 * start page matches such a word even if it does not contain it.
 */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  'doc docs documentation manual manuals handbook guide reference home homepage page website site official main index'.split(
    ' ',
  ),
);

/**
 * Returns the words of a text without function words, in lower case. If the text has only function words (`The
 * Who`), returns all its words.
 */
export function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  const content = words.filter((word) => !FUNCTION_WORDS.has(word));
  return content.length > 0 ? content : words;
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;
