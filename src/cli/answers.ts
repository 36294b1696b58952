/** Which answer boxes there are: all that work on this machine, and those whose service is configured. */
import {
  type AnswerBox,
  Answerer,
  calculator,
  clocks,
  conversion,
  dates,
  ebay,
  knowledge,
  mediaWiki,
  news,
  numerals,
  ResultDetails,
  shopping,
  weather,
} from '../answer/mod.ts';
import { ArchiveReader } from '../archive/mod.ts';
import { type Log, systemClock } from '../base/mod.ts';
import type { Searcher } from '../query/mod.ts';
import { archivedPages } from '../serve/mod.ts';
import { readablePages } from './archived-pages.ts';
import type { Config } from './config.ts';
import type { DataDirectory } from './data-directory.ts';
import { VERSION } from './version.ts';

export interface Answers {
  answerer: Answerer;
  /** Null where there are no archived pages to read them from. */
  details: ResultDetails | null;
  close(): void;
}

export function openAnswers(
  data: DataDirectory,
  config: Config,
  { searcher, contact, log }: { searcher: Searcher; contact: string; log: Log },
): Answers {
  const archive = new ArchiveReader(data.archive);
  const crawl = { searcher, pages: readablePages(archivedPages(archive), systemClock) };
  const boxes = [
    calculator,
    numerals,
    conversion,
    dates,
    clocks,
    ...remoteBoxes(config, contact),
    ...(data.root.has('archive') ? [knowledge(crawl), news(crawl), shopping(crawl)] : []),
  ];
  return {
    answerer: new Answerer({ boxes, clock: systemClock, log }),
    details: data.root.has('archive') ? new ResultDetails(crawl, systemClock) : null,
    close: () => archive.close(),
  };
}

function remoteBoxes({ answer }: Config, contact: string): AnswerBox[] {
  const boxes: AnswerBox[] = [];
  if (answer.weather !== '')
    boxes.push(weather({ forecastUrl: answer.weather, placesUrl: answer.places || answer.weather }));
  if (answer.wiki !== '')
    boxes.push(
      mediaWiki({ url: answer.wiki, userAgent: `gyre/${VERSION}${contact === '' ? '' : ` (+${contact})`}` }),
    );
  if (answer.shop !== '') {
    const { shop: url, shopId: clientId, shopSecret: clientSecret, shopMarket: marketplace } = answer;
    boxes.push(ebay({ url, clientId, clientSecret, marketplace }));
  }
  return boxes;
}
