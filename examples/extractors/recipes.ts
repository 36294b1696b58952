/**
 * An extractor for a recipe site, as an example of two things that general rules cannot know: that this site
 * appends its name to every title, and that its recipes are available as JSON, which Gyre does not parse by
 * itself.
 *
 *   gyre crawl --extractors examples/extractors/recipes.ts https://recipes.example/
 */
import type { Extractor, Page, PageInput } from '../../src/page/mod.ts';

interface Recipe {
  name: string;
  ingredients: string[];
  method: string;
}

export const recipePages: Extractor = {
  name: 'recipe pages',
  matches: ({ url, contentType }) => contentType.startsWith('text/html') && url.includes('/recipes/'),
  extract(_input, parse) {
    const page = parse();
    return page && { ...page, title: page.title.replace(/ \| .*$/, '') };
  },
};

export const recipeData: Extractor = {
  name: 'recipe data',
  contentTypes: ['application/json'],
  matches: ({ url, contentType }) =>
    contentType.startsWith('application/json') && url.endsWith('.recipe.json'),
  extract: (input) => pageOf(JSON.parse(Buffer.from(input.body).toString()) as Recipe, input),
};

function pageOf({ name, ingredients, method }: Recipe, { contentType }: PageInput): Page {
  return {
    contentType,
    title: name,
    description: '',
    language: 'en',
    text: [...ingredients, method].join('\n'),
    marks: [],
    links: [],
    canonical: null,
    robots: { index: true, follow: true, archive: true, snippet: true },
  };
}
