/**
 * Lists the answer boxes: all boxes that are computed on this machine, and the boxes whose remote service is
 * configured.
 */
import {
  type AnswerBox,
  Answerer,
  calculator,
  clocks,
  conversion,
  dates,
  ebay,
  knowledge,
  mediaWikiBox,
  news,
  numerals,
  ResultDetails,
  shopping,
  sitePanel,
  weather,
} from '../../answer/mod.ts';
import { type Log, systemClock } from '../../base/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import type { PageArchive } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';
import { VERSION } from '../version.ts';
import { readablePages } from './archived-pages.ts';

interface Answers {
  answerer: Answerer;
  /** Reads details from archived pages; null if there is no archive. */
  details: ResultDetails | null;
}

/** Opens the answer boxes of a server. `archive` is null if the data directory has no archive. */
export function openAnswers(
  config: Config,
  archive: PageArchive | null,
  { searcher, contact, log }: { searcher: Searcher; contact: string; log: Log },
): Answers {
  const crawl = archive && { searcher, pages: readablePages(archive, systemClock) };
  const boxes = [
    calculator,
    numerals,
    conversion,
    dates,
    clocks,
    ...remoteBoxes(config, contact),
    ...(crawl ? [sitePanel(crawl), knowledge(crawl), news(crawl), shopping(crawl)] : []),
  ];
  return {
    answerer: new Answerer({ boxes, clock: systemClock, log }),
    details: crawl && new ResultDetails(crawl, systemClock),
  };
}

function remoteBoxes({ answer }: Config, contact: string): AnswerBox[] {
  const boxes: AnswerBox[] = [];
  if (answer.weather !== '')
    boxes.push(weather({ forecastUrl: answer.weather, placesUrl: answer.places || answer.weather }));
  if (answer.wiki !== '')
    boxes.push(
      mediaWikiBox({
        url: answer.wiki,
        userAgent: `gyre/${VERSION}${contact === '' ? '' : ` (+${contact})`}`,
      }),
    );
  if (answer.shop !== '') {
    const { shop: url, shopId: clientId, shopSecret: clientSecret, shopMarket: marketplace } = answer;
    boxes.push(ebay({ url, clientId, clientSecret, marketplace }));
  }
  return boxes;
}
