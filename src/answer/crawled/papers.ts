/** Finds the publisher of an article in its structured data. */
import { propertyOf, type ReadablePage, type StructuredThing } from './own-crawl.ts';

/** Returns the structured data item that marks the page as news. */
export function articleItem({ items }: ReadablePage): StructuredThing | undefined {
  return items.find(({ type }) => /NewsArticle$|^LiveBlogPosting$/.test(type));
}

/** Returns the publisher of an article; empty if the page does not name one. */
export function paperOf(page: ReadablePage): string {
  const item = articleItem(page);
  return item ? propertyOf(item, 'publisher.name') : '';
}
