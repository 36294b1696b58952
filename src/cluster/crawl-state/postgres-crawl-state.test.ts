import { crawlStateConformance } from '../../crawl/state/crawl-state-conformance.fixture.ts';
import { openDatabases } from '../test-database.fixture.ts';
import { openState } from './crawl-state.fixture.ts';

crawlStateConformance('a crawl state in PostgreSQL', async (t) => {
  const [sql] = await openDatabases(t, 1);
  return ({ epoch }) => openState(sql!, `node-${epoch}`, { epoch });
});
