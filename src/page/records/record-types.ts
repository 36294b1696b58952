/**
 * The types of records: their fields, the properties of schema.org that a field is read from, and the form of its
 * values. The first property that a page states counts. Names of fields are part of exports, so they never change.
 */

export type FieldForm = 'text' | 'url' | 'date' | 'number' | 'minutes' | 'money' | 'place' | 'code';

export interface RecordField {
  name: string;
  form: FieldForm;
  /** The properties, in order of preference; for money and places the beginning of the names of their parts. */
  from: readonly string[];
  isRequired?: true;
}

const text = (name: string, ...from: string[]): RecordField => fieldOf('text', name, from);
const url = (name: string, ...from: string[]): RecordField => fieldOf('url', name, from);
const date = (name: string, ...from: string[]): RecordField => fieldOf('date', name, from);
const number = (name: string, ...from: string[]): RecordField => fieldOf('number', name, from);
const minutes = (name: string): RecordField => fieldOf('minutes', name, []);
const money = (name: string, from: string): RecordField => fieldOf('money', name, [from]);
const place = (name: string, from = name): RecordField => fieldOf('place', name, [from]);
/** A value of a list of schema.org, such as `https://schema.org/InStock`. */
const code = (name: string, ...from: string[]): RecordField => fieldOf('code', name, from);
const required = (field: RecordField): RecordField => ({ ...field, isRequired: true });

function fieldOf(form: FieldForm, name: string, from: readonly string[]): RecordField {
  return { name, form, from: from.length > 0 ? from : [name] };
}

const NAMED = [required(text('name')), text('description'), url('url'), url('image', 'image', 'image.url')];
const CONTACT = [
  url('sameAs'),
  text('email'),
  text('telephone', 'telephone', 'contactPoint.telephone'),
  place('address', ''),
];
const RATED = [
  number('rating', 'aggregateRating.ratingValue'),
  number('ratingCount', 'aggregateRating.ratingCount', 'aggregateRating.reviewCount'),
];

const TYPES: Readonly<Record<string, readonly RecordField[]>> = {
  JobPosting: [
    required(text('title', 'title', 'name')),
    text('description'),
    url('url'),
    text('identifier', 'identifier.value', 'identifier'),
    text('organization', 'hiringOrganization.name', 'hiringOrganization'),
    url('organizationUrl', 'hiringOrganization.sameAs', 'hiringOrganization.url'),
    place('location', 'jobLocation'),
    text('locationType', 'jobLocationType'),
    code('employmentType'),
    money('salary', 'baseSalary'),
    date('datePosted', 'datePosted', 'datePublished'),
    date('validThrough'),
    text('skills'),
  ],
  Product: [
    ...NAMED,
    text('brand', 'brand.name', 'brand'),
    text('sku'),
    text('gtin', 'gtin', 'gtin13', 'gtin14', 'gtin12', 'gtin8'),
    text('mpn'),
    money('price', 'offers'),
    code('availability', 'offers.availability'),
    ...RATED,
  ],
  Offer: [...NAMED, money('price', ''), code('availability'), date('datePublished')],
  Article: [
    required(text('headline', 'headline', 'name')),
    text('description'),
    url('url'),
    url('image', 'image', 'image.url'),
    text('author', 'author.name', 'author'),
    text('publisher', 'publisher.name', 'publisher'),
    text('section', 'articleSection'),
    date('datePublished'),
    date('dateModified'),
  ],
  Event: [
    ...NAMED,
    required(date('startDate')),
    date('endDate'),
    place('location'),
    text('organizer', 'organizer.name', 'organizer'),
    text('performer', 'performer.name', 'performer'),
    code('status', 'eventStatus'),
    money('price', 'offers'),
  ],
  Recipe: [
    ...NAMED,
    text('author', 'author.name', 'author'),
    text('ingredients', 'recipeIngredient', 'ingredients'),
    text('instructions', 'recipeInstructions', 'recipeInstructions.text'),
    minutes('prepTime'),
    minutes('cookTime'),
    minutes('totalTime'),
    text('yield', 'recipeYield'),
    text('calories', 'nutrition.calories'),
    text('category', 'recipeCategory'),
    text('cuisine', 'recipeCuisine'),
    date('datePublished'),
    ...RATED,
  ],
  Organization: [
    ...NAMED,
    text('legalName'),
    url('logo', 'logo', 'logo.url'),
    date('foundingDate'),
    ...CONTACT,
  ],
  Person: [
    ...NAMED,
    text('jobTitle'),
    text('worksFor', 'worksFor.name', 'worksFor'),
    date('birthDate'),
    date('deathDate'),
    ...CONTACT,
  ],
  Place: [...NAMED, place('address', '')],
};

/** Frequent subtypes by the type whose fields they have. */
const SUBTYPES: Readonly<Record<string, string>> = {
  Article:
    'NewsArticle BlogPosting TechArticle ScholarlyArticle Report SocialMediaPosting AnalysisNewsArticle OpinionNewsArticle ReportageNewsArticle LiveBlogPosting',
  Event:
    'BusinessEvent ChildrensEvent ComedyEvent DanceEvent EducationEvent ExhibitionEvent Festival FoodEvent LiteraryEvent MusicEvent SaleEvent ScreeningEvent SocialEvent SportsEvent TheaterEvent VisualArtsEvent',
  Organization:
    'Airline Bakery BarOrPub CafeOrCoffeeShop CollegeOrUniversity Corporation Dentist EducationalOrganization GovernmentOrganization Hospital Hotel Library LocalBusiness MedicalOrganization MusicGroup NGO NewsMediaOrganization OnlineStore PerformingGroup ProfessionalService Restaurant School SportsOrganization SportsTeam Store',
  Product: 'IndividualProduct ProductGroup ProductModel Vehicle Car',
  Offer: 'AggregateOffer',
  Place: 'AdministrativeArea City Country LandmarksOrHistoricalBuildings Museum Park TouristAttraction',
};

const TYPE_OF = new Map<string, string>(Object.keys(TYPES).map((type) => [type, type]));
for (const [type, subtypes] of Object.entries(SUBTYPES)) {
  for (const subtype of subtypes.split(' ')) TYPE_OF.set(subtype, type);
}

/** Returns the type whose fields a type of schema.org has; null if it has no fields here. */
export function recordTypeOf(stated: string): string | null {
  return TYPE_OF.get(stated) ?? null;
}

/** Returns the fields of a type; empty if the type has none. */
export function fieldsOfType(type: string): readonly RecordField[] {
  return Object.hasOwn(TYPES, type) ? TYPES[type]! : [];
}
