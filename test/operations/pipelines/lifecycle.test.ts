import type { PipelineRow } from '../../../src/entities/database.js';
import { perform } from '../../../src/core/operation.js';
import { archivePipeline } from '../../../src/operations/pipelines/archive.js';
import { favoritePipeline } from '../../../src/operations/pipelines/favorite.js';
import { getPipeline } from '../../../src/operations/pipelines/get.js';
import { listPipelines } from '../../../src/operations/pipelines/list.js';
import { rotateWebhookUrl } from '../../../src/operations/pipelines/webhooks/rotate-url.js';
import { unarchivePipeline } from '../../../src/operations/pipelines/unarchive.js';
import { refusal } from '../../support/refusal.js';
import { World } from '../../support/world.js';
import { webhookTokenOf } from '../../../src/resources/pipelines/url-token.js';

describe('archiving, favorites and webhook URL of a pipeline', () => {
  let world: World;
  let pipeline: PipelineRow;
  beforeAll(async () => void (world = await World.create()));
  beforeEach(async () => void (pipeline = await world.pipeline('steps: [{command: make}]')));
  afterAll(() => world.close());
  const named = () => ({ pipeline: { id: pipeline.id } });

  test('a pipeline is archived, is still found, and is unarchived', async () => {
    const archived = await world.perform(world.member, archivePipeline, named());
    expect(archived.pipeline).toMatchObject({ archivedAt: world.clock.now(), archivedById: world.member.id });
    expect((await world.perform(world.member, getPipeline, named())).pipeline).toEqual(archived.pipeline);
    world.clock.advance(1);
    const active = await world.perform(world.admin, unarchivePipeline, named());
    expect(active.pipeline).toMatchObject({ archivedAt: null, archivedById: null });
    const events = await world.services.db
      .selectFrom('events')
      .select(['type', 'fromState', 'toState'])
      .where('subjectId', '=', pipeline.id)
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { type: 'pipeline.archive', fromState: 'active', toState: 'archived' },
      { type: 'pipeline.unarchive', fromState: 'archived', toState: 'active' },
    ]);
  });

  test('a pipeline cannot be archived twice or unarchived twice', async () => {
    expect(await refusal(world.perform(world.member, unarchivePipeline, named()))).toMatchObject({
      code: 'wrong_state',
      message: 'Pipeline could not be unarchived.',
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => world.perform(world.member, archivePipeline, named())),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(world.perform(world.member, archivePipeline, named()))).toMatchObject({
      code: 'wrong_state',
      message: 'Pipeline could not be archived.',
    });
  });

  test('the webhook URL of a pipeline can be replaced, unless the pipeline is archived', async () => {
    const rotated = await world.perform(world.member, rotateWebhookUrl, named());
    expect(webhookTokenOf(world.services, rotated.pipeline)).toMatch(/^[0-9a-f]{50}$/);
    expect(rotated.pipeline).toEqual({
      ...pipeline,
      webhookTokenHash: expect.not.stringMatching(pipeline.webhookTokenHash),
      webhookTokenSealed: rotated.pipeline.webhookTokenSealed,
    });
    await world.perform(world.member, archivePipeline, named());
    expect(await refusal(world.perform(world.member, rotateWebhookUrl, named()))).toMatchObject({
      code: 'wrong_state',
    });
  });

  test('a favorite belongs to the caller alone, and marking it twice has no further effect', async () => {
    const mark = (favorite: boolean) => world.perform(world.member, favoritePipeline, { ...named(), favorite });
    const favorites = async (person = world.member) =>
      (await world.perform(person, listPipelines, { organization: { slug: 'acme' }, favorite: true })).rows.map(
        (row) => row.id,
      );
    await mark(true);
    await mark(true);
    expect([await favorites(), await favorites(world.admin)]).toEqual([[pipeline.id], []]);
    await mark(false);
    await mark(false);
    expect(await favorites()).toEqual([]);
    expect(await refusal(perform(favoritePipeline, world.system(), { ...named(), favorite: true }))).toMatchObject({
      code: 'forbidden',
    });
  });

  test.each([
    ['archive', archivePipeline],
    ['unarchive', unarchivePipeline],
    ['rotate', rotateWebhookUrl],
    ['favorite', favoritePipeline],
  ])('a stranger who tries to %s a pipeline gets the answer for an absent one', async (_what, operation) => {
    const missing = await refusal(
      world.perform(world.outsider, operation, { pipeline: { organization: 'acme', slug: 'nowhere' }, favorite: true }),
    );
    const hidden = await refusal(
      world.perform(world.outsider, operation, {
        pipeline: { organization: 'acme', slug: pipeline.slug },
        favorite: true,
      }),
    );
    expect(hidden).toEqual(missing);
    expect(hidden.code).toBe('not_found');
  });

  test('a token without the scope is refused before the pipeline is looked up', async () => {
    const reader = await world.person({ organizationId: world.organization.id, scopes: ['read_pipelines'] });
    for (const operation of [archivePipeline, unarchivePipeline, rotateWebhookUrl]) {
      expect(await refusal(world.perform(reader, operation, named()))).toMatchObject({ code: 'scope_missing' });
    }
  });
});
