import { DirectLinkExchange } from './link-exchange.ts';
import { linkExchangeConformance } from './link-exchange-conformance.fixture.ts';

linkExchangeConformance('an exchange within one process', async () => {
  return { nodes: [new DirectLinkExchange()], ownerOf: () => 0 };
});
