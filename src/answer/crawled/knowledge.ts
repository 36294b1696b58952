/**
 * Makes the knowledge panel from crawled pages. It uses a page whose name is the query or its subject
 * (subjects.ts). The page must describe a person, an organization, a place, a product or a work in its
 * structured data (schema.org), or be an article of an encyclopedia (it has an infobox, or a path `/wiki/…`,
 * which most encyclopedias use). The panel shows the first paragraph of the page, and facts from its structured
 * data or its infobox. Facts that the query asks for come first.
 */
import type { Answer, AnswerBox, Fact } from '../answer-box.ts';
import { cutText, isAbout, isSameName, type Subject, subjectsOf, withoutSite } from '../asking/mod.ts';
import type { AnswerMessage, AnswerWords } from '../messages/mod.ts';
import {
  bestPages,
  type FoundPage,
  type OwnCrawl,
  propertyOf,
  type ReadablePage,
  type StructuredThing,
  thingsOf,
} from './own-crawl.ts';

const TEN_MINUTES = 600_000;
const LOOKED_AT = 5;
const MAX_TEXT = 400;
const MIN_LEAD = 80;
const MAX_FACTS = 8;

/** The schema.org types of people, organizations, places, products and works. */
const TYPES = new Set([
  ...[
    'Person',
    'Organization',
    'Corporation',
    'EducationalOrganization',
    'CollegeOrUniversity',
    'School',
    'NGO',
  ],
  ...[
    'GovernmentOrganization',
    'LocalBusiness',
    'MusicGroup',
    'SportsTeam',
    'Airline',
    'NewsMediaOrganization',
  ],
  ...[
    'Place',
    'City',
    'Country',
    'State',
    'Continent',
    'AdministrativeArea',
    'LandmarksOrHistoricalBuildings',
  ],
  ...[
    'TouristAttraction',
    'Mountain',
    'BodyOfWater',
    'RiverBodyOfWater',
    'LakeBodyOfWater',
    'SeaBodyOfWater',
    'Park',
  ],
  ...[
    'Museum',
    'Hotel',
    'Restaurant',
    'Hospital',
    'Library',
    'StadiumOrArena',
    'Airport',
    'Product',
    'Book',
    'Movie',
  ],
  ...['TVSeries', 'VideoGame', 'MusicAlbum', 'SoftwareApplication'],
]);

/** The facts to show, in this order, each with the properties that it is taken from. */
const FACTS: readonly (readonly [name: AnswerMessage, ...properties: string[]])[] = [
  ['fact.born', 'birthDate'],
  ['fact.died', 'deathDate'],
  ['fact.occupation', 'jobTitle', 'hasOccupation.name'],
  ['fact.nationality', 'nationality', 'nationality.name'],
  ['fact.founded', 'foundingDate'],
  ['fact.founder', 'founder.name', 'founder'],
  ['fact.employees', 'numberOfEmployees', 'numberOfEmployees.value'],
  ['fact.address', 'address.streetAddress', 'address.addressLocality', 'address'],
  ['fact.telephone', 'telephone'],
  ['fact.brand', 'brand.name', 'brand'],
  ['fact.author', 'author.name', 'author'],
  ['fact.director', 'director.name', 'director'],
  ['fact.published', 'datePublished'],
  ['fact.website', 'url'],
];

export function knowledge(crawl: OwnCrawl): AnswerBox {
  return {
    name: 'knowledge',
    cacheMs: TEN_MINUTES,
    matches: (query) => subjectsOf(query).length > 0,
    async answer(query, context, signal) {
      for (const subject of subjectsOf(query)) {
        for (const found of await bestPages(crawl, subject.name, LOOKED_AT, context, signal)) {
          const answer = panelOf(subject, found, context.words);
          if (answer) return answer;
        }
      }
      return null;
    },
  };
}

function panelOf(subject: Subject, { url, host, page }: FoundPage, words: AnswerWords): Answer | null {
  const { name, fact } = subject;
  const thing = thingsOf(page, TYPES).find((each) => isSameName(propertyOf(each, 'name'), name)) ?? null;
  const isArticle = isEncyclopedic(url, page) && isSameName(page.title, name);
  if (!thing && !isArticle) return null;
  const text = (thing && propertyOf(thing, 'description')) || leadOf(page.text);
  const said = thing ? factsOf(thing, words) : [];
  const facts = wantedFirst(said.length > 0 ? said : page.facts, fact).slice(0, MAX_FACTS);
  if (text === '' && facts.length === 0) return null;
  return {
    kind: 'knowledge',
    title: (thing && propertyOf(thing, 'name')) || withoutSite(page.title),
    text: cutText(text, MAX_TEXT),
    facts,
    links: [],
    source: { name: host, url },
    time: new Date(page.fetchedAt).toISOString(),
  };
}

function wantedFirst(facts: readonly Fact[], wanted: string): Fact[] {
  const isWanted = ({ name }: Fact) => isAbout(name, wanted);
  return [...facts.filter(isWanted), ...facts.filter((each) => !isWanted(each))];
}

function isEncyclopedic(url: string, { facts }: ReadablePage): boolean {
  return facts.length > 0 || /\/wiki\/[^/]+$/.test(new URL(url).pathname);
}

/** Returns the first paragraph: the first line that looks like one by its length and its last character. */
export function leadOf(text: string): string {
  const isLead = (line: string) =>
    line.length >= MIN_LEAD && /[.!?。]["”')\]\d]*$/.test(line) && !/©|copyright/i.test(line);
  return text.split('\n').find(isLead) ?? '';
}

function factsOf(thing: StructuredThing, words: AnswerWords): Fact[] {
  return FACTS.flatMap(([name, ...properties]) => {
    const value = propertyOf(thing, ...properties);
    return value === '' ? [] : [{ name: words.text(name), value: cutText(value, 120) }];
  });
}
