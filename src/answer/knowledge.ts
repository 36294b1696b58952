/**
 * The knowledge panel from one's own crawl: a page whose name is the query, that is about a person, an
 * organization, a place or a product by its own word (schema.org), or is an article of an encyclopedia (a path
 * `/wiki/…`, the form that all of them share). Its lead is the text, what it says for machines are the facts.
 */
import type { Answer, AnswerBox, Fact } from './answer-box.ts';
import { cutText, isName, isSameName } from './names.ts';
import {
  bestPages,
  type FoundPage,
  type OwnCrawl,
  propertyOf,
  type StructuredThing,
  thingsOf,
} from './own-crawl.ts';

const TEN_MINUTES = 600_000;
const LOOKED_AT = 5;
const MAX_TEXT = 400;
const MIN_LEAD = 80;

const TYPES = new Set([
  'Person',
  'Organization',
  'Corporation',
  'EducationalOrganization',
  'CollegeOrUniversity',
  'NGO',
  'GovernmentOrganization',
  'LocalBusiness',
  'MusicGroup',
  'Place',
  'City',
  'Country',
  'AdministrativeArea',
  'LandmarksOrHistoricalBuildings',
  'TouristAttraction',
  'Mountain',
  'Product',
  'Book',
  'Movie',
]);

/** Properties worth showing, in this order. */
const FACTS: readonly (readonly [name: string, ...properties: string[]])[] = [
  ['Born', 'birthDate'],
  ['Died', 'deathDate'],
  ['Occupation', 'jobTitle', 'hasOccupation.name'],
  ['Nationality', 'nationality', 'nationality.name'],
  ['Founded', 'foundingDate'],
  ['Founder', 'founder.name', 'founder'],
  ['Employees', 'numberOfEmployees', 'numberOfEmployees.value'],
  ['Address', 'address.streetAddress', 'address.addressLocality', 'address'],
  ['Telephone', 'telephone'],
  ['Brand', 'brand.name', 'brand'],
  ['Author', 'author.name', 'author'],
  ['Director', 'director.name', 'director'],
  ['Published', 'datePublished'],
  ['Website', 'url'],
];

export function knowledge(crawl: OwnCrawl): AnswerBox {
  return {
    name: 'knowledge',
    cacheMs: TEN_MINUTES,
    matches: (query) => isName(query),
    async answer(query, _context, signal) {
      for (const found of await bestPages(crawl, query, LOOKED_AT, signal)) {
        const answer = panelOf(query, found);
        if (answer) return answer;
      }
      return null;
    },
  };
}

function panelOf(query: string, { url, host, page }: FoundPage): Answer | null {
  const thing = thingsOf(page, TYPES).find((each) => isSameName(propertyOf(each, 'name'), query)) ?? null;
  const isArticle = /\/wiki\/[^/]+$/.test(new URL(url).pathname) && isSameName(page.title, query);
  if (!thing && !isArticle) return null;
  const text = (thing && propertyOf(thing, 'description')) || leadOf(page.text);
  const facts = thing ? factsOf(thing) : [];
  if (text === '' && facts.length === 0) return null;
  return {
    kind: 'knowledge',
    title: (thing && propertyOf(thing, 'name')) || page.title,
    text: cutText(text, MAX_TEXT),
    facts,
    links: [],
    source: { name: host, url },
    time: new Date(page.fetchedAt).toISOString(),
  };
}

/** The first line that is a paragraph by its length and its end. */
function leadOf(text: string): string {
  return text.split('\n').find((line) => line.length >= MIN_LEAD && /[.!?。]["”')\]\d]*$/.test(line)) ?? '';
}

function factsOf(thing: StructuredThing): Fact[] {
  return FACTS.flatMap(([name, ...properties]) => {
    const value = propertyOf(thing, ...properties);
    return value === '' ? [] : [{ name, value: cutText(value, 120) }];
  });
}
