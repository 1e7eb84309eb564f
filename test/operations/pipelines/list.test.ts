import type { ShownPipelineRow } from '../../../src/entities/database.js';
import type { Page } from '../../../src/core/paging.js';
import { favoritePipeline } from '../../../src/operations/pipelines/favorite.js';
import { listPipelines } from '../../../src/operations/pipelines/list.js';
import { refusal } from '../../support/refusal.js';
import { type Person, World } from '../../support/world.js';

describe('listing pipelines', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
    const otherCluster = await world.insert('clusters', { organizationId: world.organization.id, name: 'Other' });
    const fields = [
      { slug: 'web-app', name: 'Web App', repository: 'https://github.com/acme/web.git', tags: ['a', 'b'] },
      {
        slug: 'api',
        name: 'api_100%',
        repository: 'https://github.com/acme/Api.git',
        tags: ['b'],
        clusterId: otherCluster,
      },
      { slug: 'old', name: 'Old web', clusterId: null, archivedAt: world.clock.now() },
      { slug: 'zebra', name: 'Zebra' },
    ];
    for (const each of fields) {
      await world.pipeline('steps: []', each);
      world.clock.advance(1);
    }
  });
  afterAll(() => world.close());

  const list = async (filters: object = {}, person: Person = world.member): Promise<Page<ShownPipelineRow>> =>
    world.perform(person, listPipelines, { organization: { slug: 'acme' }, ...filters });
  const slugs = async (filters: object = {}) => (await list(filters)).rows.map((row) => row.slug);

  const start = Date.parse('2026-01-02T03:04:05.000Z');
  test.each<[string, object, string[]]>([
    ['newest first', {}, ['zebra', 'old', 'api', 'web-app']],
    ['a part of the name, capitals aside', { name: 'WEB' }, ['old', 'web-app']],
    ['a percent sign is taken literally', { name: '0%' }, ['api']],
    ['an underscore is taken literally', { name: '_' }, ['api']],
    ['a part of the repository', { repository: 'acme/API' }, ['api']],
    ['a search in names and slugs', { search: 'Web App' }, ['web-app']],
    ['archived pipelines', { archived: true }, ['old']],
    ['active pipelines', { archived: false }, ['zebra', 'api', 'web-app']],
    ['pipelines in no cluster', { clustered: false }, ['old']],
    ['a cluster that does not exist', { clusterId: 'x' }, []],
    ['one tag', { tags: ['b'] }, ['api', 'web-app']],
    ['two tags at once', { tags: ['b', 'a'] }, ['web-app']],
    ['created from a time on', { createdAtFrom: new Date(start + 2000) }, ['zebra', 'old']],
    ['created before a time', { createdAtTo: new Date(start + 1000) }, ['web-app']],
    ['by name', { order: 'name', archived: false, clustered: true, search: 'e' }, ['web-app', 'zebra']],
    ['the exact match of a search first', { order: 'relevance', search: 'zebra' }, ['zebra']],
    [
      'blank filters filter nothing',
      { name: '', repository: '', search: '', clusterId: '', teamSlug: '', tags: [] },
      ['zebra', 'old', 'api', 'web-app'],
    ],
  ])('pipelines are listed and filtered: %s', async (_what, filters, expected) =>
    expect(await slugs(filters)).toEqual(expected),
  );

  test("pipelines are filtered by a cluster's UUID or node id", async () => {
    expect(await slugs({ clusterId: world.clusterId })).toEqual(['zebra', 'web-app']);
    expect(await slugs({ clusterId: Buffer.from(`Cluster---${world.clusterId}`).toString('base64') })).toEqual([
      'zebra',
      'web-app',
    ]);
  });

  test("the caller's favorites can be filtered and listed first", async () => {
    await world.perform(world.member, favoritePipeline, {
      pipeline: { organization: 'acme', slug: 'zebra' },
      favorite: true,
    });
    expect(await slugs({ favorite: true })).toEqual(['zebra']);
    expect(await slugs({ favorite: false })).toEqual(['old', 'api', 'web-app']);
    const named = (await slugs({ order: 'name' })).filter((slug) => slug !== 'zebra');
    expect(await slugs({ order: 'name_with_favorites_first' })).toEqual(['zebra', ...named]);
    expect((await list({ favorite: true }, world.admin)).rows).toEqual([]);
  });

  test.each(['recently_created', 'name', 'name_with_favorites_first'])(
    'pages and cursors cover the list exactly once in the order %s',
    async (order) => {
      const all = await slugs({ order });
      const paged = [
        ...(await slugs({ order, paging: { page: 1, perPage: 3 } })),
        ...(await slugs({ order, paging: { page: 2, perPage: 3 } })),
      ];
      expect(paged).toEqual(all);
      const first = await list({ order, paging: { first: 2 } });
      expect(first).toMatchObject({ hasNext: true, hasPrevious: false });
      const rest = await list({ order, paging: { first: 10, after: first.cursor(first.rows[1] as ShownPipelineRow) } });
      expect([...first.rows, ...rest.rows].map((row) => row.slug)).toEqual(all);
      expect(await rest.count()).toBe(4);
    },
  );

  test("an outsider's list request gets the answer for an absent organization", async () => {
    await world.pipeline('steps: []', { slug: 'open', visibility: 'public' });
    expect(await refusal(list({}, world.outsider))).toEqual(
      await refusal(list({ organization: { slug: 'nowhere' } }, world.outsider)),
    );
  });

  test.each([
    ['text that cannot be stored', { name: '\0' }, 'name'],
    ['an unknown order', { order: 'size' }, 'order'],
    ['a filter that is too long', { search: 's'.repeat(256) }, 'search'],
  ])('listing pipelines with %s is refused', async (_what, filters, field) => {
    expect((await refusal(list(filters))).details.fields).toMatchObject([{ field }]);
  });
});
