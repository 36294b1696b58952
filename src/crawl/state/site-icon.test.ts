import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../base/mod.ts';
import { NO_ICON } from '../../page/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import {
  askingFor,
  type IconAnswer,
  iconAfterAnswer,
  iconAfterPage,
  iconConditions,
  isIconWanted,
  type SiteIcon,
} from './site-icon.ts';

const ORIGIN = 'http://a.test:81';
const USUAL = `${ORIGIN}/favicon.ico`;
const NOW = 100 * DAY_MS;
const PICTURE: IconAnswer = { kind: 'picture', etag: '"1"', lastModified: 'then' };

function read(icon: SiteIcon | undefined, path: string, declared?: string, now = NOW): SiteIcon {
  return iconAfterPage(icon, { url: canonicalize(path, ORIGIN)!, declared }, now);
}

/** Runs one search for an icon, starting with the state `icon`, and gives these responses to its requests. */
function look(icon: SiteIcon, ...answers: IconAnswer[]): { asked: string[]; icon: SiteIcon } {
  const asked: string[] = [];
  for (const answer of answers) {
    assert.ok(isIconWanted(icon), `nothing is wanted after ${asked}`);
    asked.push(icon.next);
    icon = iconAfterAnswer(askingFor(icon), answer, ORIGIN, NOW);
  }
  return { asked, icon };
}

test('the icon of the front page is tried first, then that of the first page with one, then /favicon.ico', () => {
  let icon = read(undefined, '/x');
  assert.equal(icon.next, USUAL);
  icon = read(icon, '/y', `${ORIGIN}/y.png`);
  assert.equal(icon.next, `${ORIGIN}/y.png`);
  assert.equal(read(icon, '/z', `${ORIGIN}/z.png`), icon);
  icon = read(icon, '/', `${ORIGIN}/home.png`);
  assert.equal(icon.next, `${ORIGIN}/home.png`);
  assert.equal(read(icon, '/'), icon);
});

test('a found icon takes one request and is not requested again for a month', () => {
  const { icon } = look(read(undefined, '/'), PICTURE);
  assert.equal(icon.found, USUAL);
  assert.ok(!isIconWanted(icon));
  assert.equal(read(icon, '/', `${ORIGIN}/new.png`, NOW + 29 * DAY_MS), icon);
  assert.equal(read(icon, '/x', undefined, NOW + 31 * DAY_MS).next, USUAL);
  assert.equal(read(icon, '/', `${ORIGIN}/new.png`, NOW + 31 * DAY_MS).next, `${ORIGIN}/new.png`);
});

test('after a response that is not an image, /favicon.ico is tried once', () => {
  const { asked, icon } = look(
    read(undefined, '/', `${ORIGIN}/a.png`),
    { kind: 'no-picture' },
    { kind: 'no-picture' },
  );
  assert.deepEqual(asked, [`${ORIGIN}/a.png`, USUAL]);
  assert.equal(icon.found, '');
  assert.ok(!isIconWanted(icon) && icon.dueAt === NOW + 30 * DAY_MS);
});

test('redirects of an icon are followed, without loops and up to a limit', () => {
  const to = (path: string): IconAnswer => ({ kind: 'moved', to: canonicalize(path, ORIGIN)! });
  const circle = look(read(undefined, '/'), to('/b'), to('/favicon.ico'));
  assert.ok(!isIconWanted(circle.icon));
  const found = look(read(undefined, '/'), to('/b'), PICTURE);
  assert.equal(found.icon.found, `${ORIGIN}/b`);
  const long = look(read(undefined, '/'), to('/1'), to('/2'), to('/3'), to('/4'));
  assert.ok(!isIconWanted(long.icon));
});

test('a declaration found during an icon request does not change the request', () => {
  const asking = askingFor(read(undefined, '/x'));
  const late = read(asking, '/', `${ORIGIN}/home.png`);
  assert.equal(iconAfterAnswer(late, PICTURE, ORIGIN, NOW).found, USUAL);
});

test('without a response the known icon stays, and is requested again the next day', () => {
  const { icon: found } = look(read(undefined, '/'), PICTURE);
  const again = read(found, '/', undefined, NOW + 31 * DAY_MS);
  const { icon } = look(again, { kind: 'trouble' });
  assert.deepEqual([icon.found, icon.dueAt], [USUAL, NOW + DAY_MS]);
  assert.equal(look(again, { kind: 'no-picture' }).icon.found, '');
});

test('a known icon is requested conditionally', () => {
  const { icon: found } = look(read(undefined, '/'), PICTURE);
  const again = read(found, '/', undefined, NOW + 31 * DAY_MS);
  assert.deepEqual(iconConditions(again), { 'if-none-match': '"1"', 'if-modified-since': 'then' });
  assert.deepEqual(iconConditions(read(found, '/', `${ORIGIN}/new.png`, NOW + 31 * DAY_MS)), {});
  assert.equal(look(again, { kind: 'unchanged' }).icon.found, USUAL);
});

test('a data: icon is not requested, and no icon is if the page says that it has none', () => {
  const data = 'data:image/png;base64,iVBORw0KGgo=';
  const icon = read(undefined, '/', data);
  assert.ok(!isIconWanted(icon) && icon.found === data);
  const none = read(read(undefined, '/x'), '/', NO_ICON);
  assert.ok(!isIconWanted(none) && none.found === '');
  assert.equal(read(icon, '/x', undefined, NOW + 31 * DAY_MS).next, USUAL);
});
