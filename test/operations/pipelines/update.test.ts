import { archivePipeline } from '../../../src/operations/pipelines/archive.js';
import { createPipeline } from '../../../src/operations/pipelines/create.js';
import { updatePipeline } from '../../../src/operations/pipelines/update.js';
import type { PipelineRow } from '../../../src/entities/database.js';
import { refusal } from '../../support/refusal.js';
import { World } from '../../support/world.js';

const yaml = 'steps:\n  - command: make\n';
const missing = { field: 'configuration', code: 'Step configuration is missing, expected `steps: { yaml: "..." }`' };

describe('updating a pipeline', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  let made = 0;
  const create = async (more: object = {}): Promise<PipelineRow> => {
    made += 1;
    const input = {
      organization: { slug: 'acme' },
      name: `Pipeline ${made}`,
      repository: 'git@github.com:acme/app.git',
      configuration: yaml,
      ...more,
    };
    return (await world.perform(world.member, createPipeline, input)).pipeline;
  };
  const visual = () => create({ configuration: null, steps: [{ type: 'script', command: 'a' }], env: { A: '1' } });
  const update = async ({ id }: PipelineRow, input: object) =>
    (await world.perform(world.member, updatePipeline, { pipeline: { id }, ...input })).pipeline;
  const refused = async (pipeline: PipelineRow, input: object) =>
    (await refusal(update(pipeline, input))).details.fields;

  test('updating a pipeline changes only the given fields and its modification time', async () => {
    const before = await create({ description: 'Old', tags: ['a'], defaultBranch: 'trunk' });
    world.clock.advance(60);
    const after = await update(before, { description: 'New' });
    expect(after).toEqual({ ...before, description: 'New', updatedAt: world.clock.now() });
    expect(await update(before, { description: null, tags: null, defaultBranch: null })).toMatchObject({
      description: null,
      tags: [],
      defaultBranch: 'main',
    });
    expect(await update(before, { defaultBranch: '', branchConfiguration: '' })).toMatchObject({
      defaultBranch: '',
      branchConfiguration: '',
    });
  });

  test('renaming a pipeline derives a new slug unless the request has one, and null means to derive it', async () => {
    const pipeline = await create({ slug: 'kept' });
    expect((await update(pipeline, { name: pipeline.name })).slug).toBe('kept');
    expect(await update(pipeline, { name: 'Brand  New' })).toMatchObject({ name: 'Brand  New', slug: 'brand-new' });
    expect(await update(pipeline, { name: 'Other', slug: 'mine' })).toMatchObject({ name: 'Other', slug: 'mine' });
    expect((await update(pipeline, { slug: null })).slug).toBe('other');
    expect((await update(pipeline, { slug: 'OTHER' })).slug).toBe('OTHER');
  });

  test("the name or slug of another pipeline is refused, and the pipeline's own is accepted", async () => {
    const [first, second] = [await create({ name: 'First one' }), await create({ name: 'Second one' })];
    expect(await refused(second, { name: 'First one' })).toEqual([{ field: 'name', code: 'has already been taken' }]);
    expect(await refused(second, { slug: 'first-one' })).toEqual([{ field: 'slug', code: 'has already been taken' }]);
    expect(await update(first, { name: 'First one', slug: 'first-one' })).toMatchObject({ slug: 'first-one' });
  });

  test('of ten pipelines renamed to one name at once, one gets it', async () => {
    const pipelines = await Promise.all(Array.from({ length: 10 }, () => create()));
    const outcomes = await Promise.allSettled(pipelines.map((pipeline) => update(pipeline, { name: 'Wanted' })));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  test('the steps and the environment of a visual pipeline are replaced independently', async () => {
    const pipeline = await visual();
    const steps = [{ type: 'script', command: 'b' }, { type: 'waiter' }, { type: 'script', command: 'c' }];
    expect(await update(pipeline, { steps })).toMatchObject({ visualSteps: steps, env: { A: '1' } });
    expect(await update(pipeline, { env: { B: '2' } })).toMatchObject({ visualSteps: steps, env: { B: '2' } });
    expect(await update(pipeline, { configuration: null, env: null })).toMatchObject({ visualSteps: steps, env: {} });
    expect(await refused(pipeline, { steps: [{ type: 'script' }] })).toMatchObject([{ field: 'steps[0].command' }]);
  });

  test('a YAML pipeline refuses visual steps and env without YAML', async () => {
    const pipeline = await create();
    expect(await refused(pipeline, { steps: [{ type: 'script', command: 'b' }] })).toEqual([missing]);
    expect(await refused(pipeline, { configuration: '' })).toEqual([missing]);
    expect(await refused(pipeline, { configuration: null })).toEqual([missing]);
    expect(await refused(pipeline, { env: { A: '1' } })).toMatchObject([{ field: 'env' }]);
    expect(await update(pipeline, { env: {} })).toMatchObject({ env: null, configuration: yaml });
    const both = await update(pipeline, { steps: [{ type: 'script', command: 'b' }], configuration: 'steps: []' });
    expect(both).toMatchObject({ visualSteps: null, configuration: 'steps: []' });
    expect(await refused(pipeline, { configuration: 'steps: 1' })).toMatchObject([{ field: 'configuration' }]);
  });

  test('YAML turns a visual pipeline into a YAML pipeline', async () => {
    expect(await update(await visual(), { configuration: yaml })).toMatchObject({
      configuration: yaml,
      visualSteps: null,
      env: null,
    });
  });

  test('a null cluster removes it, a blank one leaves it, and an unknown one is refused', async () => {
    const pipeline = await create();
    expect((await update(pipeline, { clusterId: '' })).clusterId).toBe(world.clusterId);
    expect((await update(pipeline, { clusterId: null })).clusterId).toBeNull();
    expect((await update(pipeline, { clusterId: world.clusterId })).clusterId).toBe(world.clusterId);
    expect(await refused(pipeline, { clusterId: world.member.id })).toEqual([
      { field: 'clusterId', code: 'does not exist' },
    ]);
  });

  test('provider settings are merged, kept for another repository of the provider and reset for another provider', async () => {
    const pipeline = await create();
    await update(pipeline, { providerSettings: { build_tags: true, trigger_mode: 'none', unknown: 1 } });
    const merged = await update(pipeline, { providerSettings: { build_branches: false } });
    expect(merged.providerSettings).toMatchObject({
      build_tags: true,
      trigger_mode: 'none',
      build_branches: false,
      repository: 'acme/app',
    });
    const moved = await update(pipeline, { repository: 'https://github.com/acme/other.git' });
    expect(moved.providerSettings).toMatchObject({ build_tags: true, repository: 'acme/other' });
    const elsewhere = await update(pipeline, {
      repository: 'https://gitlab.com/acme/other.git',
      providerSettings: { build_pull_requests: false },
    });
    expect(elsewhere).toMatchObject({
      providerId: 'gitlab',
      providerSettings: { build_tags: false, build_pull_requests: false, repository: 'acme/other' },
    });
    expect(elsewhere.providerSettings).not.toHaveProperty('trigger_mode');
    expect(await refused(pipeline, { providerSettings: { build_tags: 1, filter_condition: '(' } })).toMatchObject([
      { field: 'providerSettings.filter_condition' },
      { field: 'providerSettings.build_tags' },
    ]);
  });

  test('the next build number cannot be lowered', async () => {
    const pipeline = await create({ nextBuildNumber: 5 });
    expect(await refused(pipeline, { nextBuildNumber: 4 })).toEqual([
      { field: 'nextBuildNumber', code: 'must not be less than 5' },
    ]);
    expect((await update(pipeline, { nextBuildNumber: 9 })).nextBuildNumber).toBe(9);
  });

  test('teams and unknown keys are ignored by an update', async () => {
    const pipeline = await create();
    expect(await update(pipeline, { teams: { x: 'y' }, teamUuids: ['z'], whatever: 1 })).toMatchObject({
      id: pipeline.id,
    });
  });

  test('an archived pipeline cannot be updated', async () => {
    const pipeline = await create();
    await world.perform(world.member, archivePipeline, { pipeline: { id: pipeline.id } });
    expect(await refusal(update(pipeline, { description: 'x' }))).toMatchObject({
      code: 'wrong_state',
      message: 'Pipeline is archived and cannot be changed. Unarchive it first.',
    });
  });

  test('updating is answered to strangers as for an absent pipeline, and a refused update changes nothing', async () => {
    const pipeline = await create();
    for (const address of [
      { id: pipeline.id },
      { organization: 'acme', slug: pipeline.slug },
      { id: 'no-id' },
      { organization: 'acme', slug: 'nowhere' },
    ]) {
      expect(
        await refusal(world.perform(world.outsider, updatePipeline, { pipeline: address, description: 'x' })),
      ).toMatchObject({ code: 'not_found', message: 'Not Found' });
    }
    expect(await refused(pipeline, { description: 'x', tags: ['a', 'a'] })).toMatchObject([{ field: 'tags.1' }]);
    expect(await update(pipeline, {})).toMatchObject({ description: null });
  });

  test('the event of an update names the changed fields', async () => {
    const pipeline = await create();
    await update(pipeline, { description: 'x', visibility: 'public' });
    const events = await world.services.db
      .selectFrom('events')
      .selectAll()
      .where('subjectId', '=', pipeline.id)
      .where('type', '=', 'pipeline.update')
      .execute();
    expect(events.map((event) => event.data)).toEqual([{ changed: ['description', 'visibility'] }]);
  });
});
