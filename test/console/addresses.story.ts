import type { Page } from 'playwright-core';
import { ConsoleWorld, whyNot } from './console-world.js';
import { everyPage } from './pages.js';
import { describeUnless } from '../support/skips.js';

const of = '/v2/organizations/demo';

/** Where /v2 is read from: each reply names pages of the console. */
const read = [
  '/v2/organizations',
  of,
  `${of}/pipelines`,
  `${of}/pipelines/shop`,
  `${of}/pipelines/shop/builds`,
  `${of}/pipelines/shop/builds/1`,
  `${of}/builds`,
  `${of}/agents`,
  `${of}/clusters`,
  `${of}/pipeline-templates`,
  `${of}/teams`,
  `${of}/members`,
  `${of}/rules`,
  `${of}/services`,
  '/v2/analytics/organizations/demo/suites',
  '/v2/analytics/organizations/demo/suites/unit-tests',
  '/v2/analytics/organizations/demo/suites/unit-tests/runs',
  '/v2/analytics/organizations/demo/suites/unit-tests/tests',
];

/** The `url` fields of the schema that are pages of the console. */
const query = `{
  organization(slug: "demo") {
    pipelines(first: 20) { nodes { url builds(first: 20) { nodes { url jobs(first: 50) { edges { node {
      ... on JobTypeCommand { url }
      ... on JobTypeTrigger { url triggered { url } }
    } } } } } } }
    suites(first: 20) { nodes { url
      runs(first: 20) { nodes { url } }
      tests(first: 20) { nodes { url } }
    } }
  }
}`;

/** Every value under one of the names, however deep. */
function valuesOf(names: readonly string[], value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesOf(names, each));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    names.includes(key) && typeof inner === 'string' ? [inner] : valuesOf(names, inner),
  );
}

describeUnless(whyNot(), 'an address that a reply gives out', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    await everyPage(world);
  });
  afterAll(() => world?.close());

  const reply = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(world.demo.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${world.demo.token}`, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  /** What is wrong with the page at an address; null for a page with a heading and without an error. */
  async function wrongWith(page: Page, url: string): Promise<string | null> {
    await page.goto('about:blank');
    const response = await page.goto(url, { waitUntil: 'networkidle' });
    if (response?.status() !== 200) return `${url} answered ${response?.status()}`;
    const heading = await page.getByRole('heading', { level: 1 }).first().innerText({ timeout: 30_000 });
    const failed = await page.locator('.placeholder h2').allInnerTexts();
    const job = new URL(url).hash.slice(1);
    if (job && (await page.locator(`a[href="#${job}"][aria-current="true"]`).count()) !== 1)
      return `${url} shows no job`;
    const isWrong = heading === '' || failed.some((text) => /no such page|could not be shown|not allowed/i.test(text));
    return isWrong ? `${url}: ${heading}, ${failed.join()}` : null;
  }

  it('opens its page in the browser, whichever surface gave it', async () => {
    const clusters = (await reply(`${of}/clusters`)) as { id: string }[];
    const queues = clusters.map(({ id }) => `${of}/clusters/${id}/queues`);
    const replies = [];
    for (const path of [...read, ...queues]) replies.push(await reply(path));
    const byRest = replies.flatMap((each) => valuesOf(['web_url'], each));
    const byGraphql = valuesOf(['url'], await reply('/graphql', { query }));
    expect(byGraphql.length).toBeGreaterThan(10);
    const urls = [...new Set([...byRest, ...byGraphql])];
    const kinds = new Set(urls.map((url) => new URL(url).pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')));
    expect(kinds.size).toBeGreaterThan(9);
    const page = await world.page();
    const wrong: (string | null)[] = [];
    for (const url of urls) wrong.push(await wrongWith(page, url));
    await page.context().close();
    expect(wrong.filter((each) => each !== null)).toEqual([]);
  });

  it('is that of the badge too, which leads to its pipeline', async () => {
    const { badge_url } = (await reply(`${of}/pipelines/shop`)) as { badge_url: string };
    const page = await world.page();
    await page.goto(badge_url);
    expect(await page.locator('a').first().getAttribute('href')).toMatch(/\/demo\/shop$/);
    await page.context().close();
  });

  it('broke no content security policy and threw nothing meanwhile', () => {
    expect(world.complaints).toEqual([]);
  });
});
