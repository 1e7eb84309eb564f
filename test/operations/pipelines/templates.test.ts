import type { Services } from '../../../src/services/services.js';
import { createPipeline } from '../../../src/operations/pipelines/create.js';
import { pipelineDefinition } from '../../../src/engine/new-builds/parse-definition.js';
import { updatePipeline } from '../../../src/operations/pipelines/update.js';
import { refusal } from '../../support/refusal.js';
import { type Person, World } from '../../support/world.js';
import { sharedWorkers } from '../../support/workers/pool.js';

describe('pipelines with a template', () => {
  let world: World;
  const templates = { open: '', closed: '' };
  beforeAll(async () => {
    world = await World.create({ plan: 'enterprise' });
    for (const [name, available] of [
      ['open', true],
      ['closed', false],
    ] as const) {
      const id = world.system().newId();
      const row = {
        id,
        organizationId: world.organization.id,
        name,
        configuration: `steps: [{command: ${name}}]`,
        available,
        createdAt: world.clock.now(),
        updatedAt: world.clock.now(),
      };
      await world.services.db.insertInto('pipeline_templates').values(row).execute();
      templates[name] = id;
    }
  });
  afterAll(() => world.close());

  let made = 0;
  const create = async (person: Person, more: object) => {
    made += 1;
    return (
      await world.perform(person, createPipeline, {
        organization: { slug: 'acme' },
        name: `P ${made}`,
        repository: 'https://github.com/acme/app',
        ...more,
      })
    ).pipeline;
  };
  const update = async (person: Person, id: string, more: object) =>
    (await world.perform(person, updatePipeline, { pipeline: { id }, ...more })).pipeline;
  const unknown = [{ field: 'pipelineTemplateId', code: 'does not exist' }];

  test('a pipeline with a template needs no steps, and blank steps count as none', async () => {
    const node = Buffer.from(`PipelineTemplate---${templates.open}`).toString('base64');
    for (const more of [{ pipelineTemplateId: templates.open }, { pipelineTemplateId: node, configuration: '' }]) {
      expect(await create(world.member, more)).toMatchObject({
        pipelineTemplateId: templates.open,
        configuration: null,
        visualSteps: null,
      });
    }
  });

  test('members may use available templates only, and other templates are answered as absent', async () => {
    for (const pipelineTemplateId of [templates.closed, world.member.id, 'x']) {
      expect((await refusal(create(world.member, { pipelineTemplateId }))).details.fields).toEqual(unknown);
    }
    const pipeline = await create(world.admin, { pipelineTemplateId: templates.closed });
    expect(
      await update(world.member, pipeline.id, { pipelineTemplateId: templates.closed, description: 'kept' }),
    ).toMatchObject({ pipelineTemplateId: templates.closed, description: 'kept' });
  });

  test('removing the template from a pipeline requires steps in its place', async () => {
    const { id } = await create(world.member, { pipelineTemplateId: templates.open });
    expect((await refusal(update(world.member, id, { pipelineTemplateId: null }))).details.fields).toMatchObject([
      { field: 'configuration' },
    ]);
    expect(await update(world.member, id, { pipelineTemplateId: null, configuration: 'steps: []' })).toMatchObject({
      pipelineTemplateId: null,
      configuration: 'steps: []',
    });
    expect(await update(world.member, id, { pipelineTemplateId: templates.open, configuration: '' })).toMatchObject({
      pipelineTemplateId: templates.open,
      configuration: null,
    });
    expect(await update(world.member, id, { steps: [{ type: 'waiter' }], pipelineTemplateId: '' })).toMatchObject({
      pipelineTemplateId: null,
      visualSteps: [{ type: 'waiter' }],
    });
  });
});

describe('the definition of a pipeline', () => {
  const none = { configuration: null, visualSteps: null, env: null, pipelineTemplateId: null };
  type Given = Parameters<typeof pipelineDefinition> extends [unknown, ...infer Others] ? Others : never;
  const define = (...given: Given) =>
    pipelineDefinition(
      { services: { workers: sharedWorkers } as Services, actor: { kind: 'system', cause: 'test' } },
      ...given,
    );
  const commands = async (...given: Given) => {
    const result = await define(...given);
    return result.ok
      ? result.definition.steps.map((step) => (step.type === 'command' ? step.command : step.type))
      : result.problems;
  };

  test("a pipeline's definition is its template's, else its own YAML, else its visual steps", async () => {
    const all = {
      configuration: 'steps: [{command: own}]',
      visualSteps: [{ type: 'script', command: 'visual' }],
      env: { A: '1' },
      pipelineTemplateId: 'id',
    };
    expect(await commands(all, { configuration: 'steps: [{command: template}]' })).toEqual(['template']);
    expect(await commands({ ...all, pipelineTemplateId: null })).toEqual(['own']);
    const visual = { ...all, pipelineTemplateId: null, configuration: null };
    expect(await commands(visual)).toEqual(['visual']);
    expect(await define(visual)).toMatchObject({ definition: { env: { A: '1' } } });
    expect(await define(visual)).toBe(await define(visual));
  });

  test('a definition that cannot be parsed is refused with a message', async () => {
    expect(await commands(none)).toEqual([{ path: '', message: 'The pipeline has no steps.' }]);
    expect(await commands({ ...none, pipelineTemplateId: 'id' })).toEqual([
      { path: '', message: 'The pipeline template does not exist.' },
    ]);
    expect(await commands({ ...none, configuration: 'steps: 1' })).toMatchObject([{ path: 'steps' }]);
    expect(await commands({ ...none, configuration: 'steps: [{command: a, if: "1 +"}]' })).toMatchObject([
      { path: 'steps[0].if' },
    ]);
  });
});
