/** The publisher of an article, from its structured data. */
import { propertyOf, type ReadablePage, type StructuredThing } from './own-crawl.ts';

/** Returns the structured data item that marks the page as news. */
export function articleItem({ items }: ReadablePage): StructuredThing | undefined {
  return items.find(({ type }) => /NewsArticle$|^LiveBlogPosting$/.test(type));
}

/** Empty if the page does not name a publisher. */
export function paperOf(page: ReadablePage): string {
  const item = articleItem(page);
  return item ? propertyOf(item, 'publisher.name') : '';
}
