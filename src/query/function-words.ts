/**
 * Words that hold a sentence together and say nothing of what it is about, as they stand in questions and in
 * running text. They are searched for like all others, but weigh little beside words that tell something: people who
 * paste a sentence mean its nouns. `functionWords` in a profile says how little.
 *
 * English only so far: in other languages the rarity of a word alone has to tell. Folded, as the tokenizer gives them.
 */
const GROUPS: readonly string[] = [
  // articles, conjunctions
  'a an the and or but nor so yet if then else than as unless while whether because although though since until till',
  // prepositions
  'at by for from in into of off on onto out over per to toward towards under up upon via with within without about',
  'above across after against along among around before behind below beneath beside besides between beyond during',
  'except inside near through throughout like',
  // pronouns
  'i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its',
  'itself they them their theirs themselves this that these those there here who whom whose which what when where why',
  "how one ones i'm i'd i've i'll we're we've you're it'd they're they've there'd that'd",
  // auxiliaries
  'am is are was were be been being do does did done doing have has had having can could may might must shall should',
  "will would ought don't doesn't didn't isn't aren't wasn't weren't can't cannot couldn't won't wouldn't shouldn't",
  // quantities, degrees
  'not no any some all each every both either neither other others another such same own only just also too very much',
  'many more most less least few several',
  // connections
  'however therefore thus hence again further once etc eg ie please',
];

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(GROUPS.flatMap((group) => group.split(' ')));

/** The words of a text without those, unless there are no others: `The Who`. In small letters. */
export function tellingWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  const telling = words.filter((word) => !FUNCTION_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;
