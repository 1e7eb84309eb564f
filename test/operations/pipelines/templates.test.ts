import { createPipeline } from '../../../src/operations/pipelines/create.js';
import { pipelineDefinition } from '../../../src/operations/pipelines/definition.js';
import { updatePipeline } from '../../../src/operations/pipelines/update.js';
import { refusal } from '../../support/refusal.js';
import { type Person, World } from '../../support/world.js';

describe('pipelines of a template', () => {
  let world: World;
  const templates = { open: '', closed: '' };
  beforeAll(async () => {
    world = await World.create({ plan: 'enterprise' });
    for (const [name, available] of [['open', true], ['closed', false]] as const) {
      const id = world.system().newId();
      const row = { id, organizationId: world.organization.id, name, configuration: `steps: [{command: ${name}}]`, available, createdAt: world.clock.now(), updatedAt: world.clock.now() };
      await world.services.db.insertInto('pipeline_templates').values(row).execute();
      templates[name] = id;
    }
  });
  afterAll(() => world.close());

  let made = 0;
  const create = async (person: Person, more: object) => {
    made += 1;
    return (await world.perform(person, createPipeline, { organization: { slug: 'acme' }, name: `P ${made}`, repository: 'https://github.com/acme/app', ...more })).pipeline;
  };
  const update = async (person: Person, id: string, more: object) => (await world.perform(person, updatePipeline, { pipeline: { id }, ...more })).pipeline;
  const unknown = [{ field: 'pipelineTemplateId', code: 'does not exist' }];

  test('need no steps of their own, and blank ones are none', async () => {
    const node = Buffer.from(`PipelineTemplate---${templates.open}`).toString('base64');
    for (const more of [{ pipelineTemplateId: templates.open }, { pipelineTemplateId: node, configuration: '' }]) {
      expect(await create(world.member, more)).toMatchObject({ pipelineTemplateId: templates.open, configuration: null, visualSteps: null });
    }
  });

  test('a member may take available ones only, and is told no difference to none', async () => {
    for (const pipelineTemplateId of [templates.closed, world.member.id, 'x']) {
      expect((await refusal(create(world.member, { pipelineTemplateId }))).details.fields).toEqual(unknown);
    }
    const pipeline = await create(world.admin, { pipelineTemplateId: templates.closed });
    expect(await update(world.member, pipeline.id, { pipelineTemplateId: templates.closed, description: 'kept' })).toMatchObject({ pipelineTemplateId: templates.closed, description: 'kept' });
  });

  test('removing the template needs steps in its place', async () => {
    const { id } = await create(world.member, { pipelineTemplateId: templates.open });
    expect((await refusal(update(world.member, id, { pipelineTemplateId: null }))).details.fields).toMatchObject([{ field: 'configuration' }]);
    expect(await update(world.member, id, { pipelineTemplateId: null, configuration: 'steps: []' })).toMatchObject({ pipelineTemplateId: null, configuration: 'steps: []' });
    expect(await update(world.member, id, { pipelineTemplateId: templates.open, configuration: '' })).toMatchObject({ pipelineTemplateId: templates.open, configuration: null });
    expect(await update(world.member, id, { steps: [{ type: 'waiter' }], pipelineTemplateId: '' })).toMatchObject({ pipelineTemplateId: null, visualSteps: [{ type: 'waiter' }] });
  });
});

describe('the definition of a pipeline', () => {
  const none = { configuration: null, visualSteps: null, env: null, pipelineTemplateId: null };
  const commands = (...given: Parameters<typeof pipelineDefinition>) => {
    const result = pipelineDefinition(...given);
    return result.ok ? result.definition.steps.map((step) => (step.type === 'command' ? step.command : step.type)) : result.problems;
  };

  test('is the template\'s before its own YAML before its visual steps', () => {
    const all = { configuration: 'steps: [{command: own}]', visualSteps: [{ type: 'script', command: 'visual' }], env: { A: '1' }, pipelineTemplateId: 'id' };
    expect(commands(all, { configuration: 'steps: [{command: template}]' })).toEqual(['template']);
    expect(commands({ ...all, pipelineTemplateId: null })).toEqual(['own']);
    const visual = { ...all, pipelineTemplateId: null, configuration: null };
    expect(commands(visual)).toEqual(['visual']);
    expect(pipelineDefinition(visual)).toMatchObject({ definition: { env: { A: '1' } } });
    expect(pipelineDefinition(visual)).toBe(pipelineDefinition(visual));
  });

  test('refuses in words what cannot be read', () => {
    expect(commands(none)).toEqual([{ path: '', message: 'The pipeline has no steps.' }]);
    expect(commands({ ...none, pipelineTemplateId: 'id' })).toEqual([{ path: '', message: 'The pipeline template does not exist.' }]);
    expect(commands({ ...none, configuration: 'steps: 1' })).toMatchObject([{ path: 'steps' }]);
    expect(commands({ ...none, configuration: 'steps: [{command: a, if: "1 +"}]' })).toMatchObject([{ path: 'steps[0].if' }]);
  });
});
