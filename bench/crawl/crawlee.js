/** Crawlee's CheerioCrawler over the synthetic web, with its storage on disk. Arguments: page count, seeds. */
import dns from 'node:dns';
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';

// Every host of the synthetic web is on loopback.
const lookup = dns.lookup;
dns.lookup = (name, options, callback) => {
  const done = typeof options === 'function' ? options : callback;
  if (!name.endsWith('.test')) return lookup(name, options, callback);
  if (typeof options === 'object' && options.all) return done(null, [{ address: '127.0.0.1', family: 4 }]);
  return done(null, '127.0.0.1', 4);
};

log.setLevel(log.LEVELS.ERROR);
const [pages, ...seeds] = process.argv.slice(2);
let count = 0;
const crawler = new CheerioCrawler(
  {
    maxRequestsPerCrawl: Number(pages),
    maxConcurrency: 64,
    async requestHandler({ $, enqueueLinks, pushData, request }) {
      count++;
      await pushData({ url: request.url, title: $('title').text(), text: $('body').text() });
      await enqueueLinks({ strategy: 'all' });
    },
  },
  new Configuration({ persistStorage: true, purgeOnStart: true }),
);
await crawler.run(seeds);
console.log(JSON.stringify({ pages: count }));
