import { randomUUID } from 'node:crypto';
import { forgetStepUploads } from '../../../../src/background/retention/forget-step-uploads.js';
import { limits } from '../../../../src/domain/limits/limits.js';
import { BothSurfaces, type Data } from '../../../support/both-surfaces.js';
import { agentApp, buildOf, ScriptedAgent } from '../../../support/scripted-agent.js';

describe('what people see of pipeline uploads and failed retries', () => {
  let surfaces: BothSurfaces;
  let build: { id: string; number: number };
  let agent: ScriptedAgent;
  let job: string;
  let path: string;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    const made = await buildOf(
      surfaces.world,
      'steps: [{ command: one, retry: { automatic: true } }, { command: two }]',
    );
    build = made.build;
    const { slug } = await surfaces.world.services.db
      .selectFrom('pipelines')
      .select('slug')
      .where('id', '=', made.build.pipelineId)
      .executeTakeFirstOrThrow();
    path = `/organizations/acme/pipelines/${slug}/builds/${build.number}/step-uploads`;
    agent = await ScriptedAgent.connected(agentApp(surfaces.world), surfaces.world.agentToken);
    job = await agent.takeJob();
    const send = (pipeline: object, more: object = {}) =>
      agent.call('post', `/jobs/${job}/pipelines`, agent.jobToken).send({ uuid: randomUUID(), pipeline, ...more });
    await send({ steps: [{ command: 'make', label: 'Make: it' }, 'wait', { command: 'test' }] });
    surfaces.world.clock.advance(1);
    await send({ steps: [{ nothing: true }] }, { replace: true });
  });
  afterAll(() => surfaces.close());

  const eventsOf = async (selection: string): Promise<Data[]> => {
    const { job: found } = await surfaces.select([
      `query ($id: ID!) { job(uuid: $id) { ... on JobTypeCommand { events(first: 50) { nodes { ${selection} } } } } }`,
      { id: job },
    ]);
    return found.events.nodes;
  };

  test('uploads are listed newest first, with what became of them', async () => {
    const { items } = await surfaces.read(['get', path]);
    expect(items).toEqual([
      expect.objectContaining({
        state: 'rejected',
        created_jobs_count: null,
        rejection_type: 'validation_error',
        replace_existing_steps: true,
        message: expect.stringContaining('steps[0]'),
      }),
      expect.objectContaining({
        state: 'applied',
        created_jobs_count: 3,
        rejection_type: null,
        source: 'job',
        source_job_id: job,
        message: null,
      }),
    ]);
    const first = await surfaces.read(['get', `${path}?per_page=1&filter[source_job_id]=${job}`]);
    expect(first.items).toEqual(items.slice(0, 1));
    const next = new URL(first.links.next);
    expect(next.searchParams.get('filter[source_job_id]')).toBe(job);
    expect((await surfaces.read(['get', next.pathname.slice('/v2'.length) + next.search])).items).toEqual(
      items.slice(1),
    );
    for (const other of [randomUUID(), 'none'])
      expect((await surfaces.read(['get', `${path}?filter[source_job_id]=${other}`])).items).toEqual([]);
    expect((await surfaces.rest(['get', path], surfaces.world.outsider)).status).toBe(404);
  });

  test('the definition is shown as YAML and JSON, until its time is over', async () => {
    const [event] = (
      await eventsOf('type ... on JobEventBuildStepUploadCreated { buildStepUpload { uuid definition { json yaml } } }')
    ).filter(({ type }) => type === 'BUILD_STEP_UPLOAD_CREATED');
    const { uuid, definition } = event.buildStepUpload;
    expect(definition.yaml).toBe('steps:\n  - command: make\n    label: "Make: it"\n  - wait\n  - command: test\n');
    expect(JSON.parse(definition.json)).toMatchObject({ steps: [{ command: 'make' }, 'wait', { command: 'test' }] });
    const shown = await surfaces.read(['get', `${path}/${uuid}`]);
    expect(shown).toMatchObject({
      definition_yaml: definition.yaml,
      definition_bytes: definition.json.length,
      definition_yaml_omitted: false,
    });
    surfaces.world.clock.advance((limits.uploadKeptDays + 1) * 86_400);
    await forgetStepUploads(surfaces.world.services);
    expect(await surfaces.read(['get', `${path}/${uuid}`])).toMatchObject({
      state: 'applied',
      definition_yaml: null,
      definition_yaml_omitted: true,
    });
    const { node } = await surfaces.select([
      'query ($id: ID!) { node(id: $id) { ... on BuildStepUpload { definition { json yaml } } } }',
      { id: shown.graphql_id },
    ]);
    expect(node).toEqual({ definition: { json: 'null', yaml: 'null\n' } });
  });

  test('a rule that cannot be followed leaves an event with the reason', async () => {
    await surfaces.world.services.db
      .updateTable('builds')
      .set({ cancelRequestedAt: surfaces.world.clock.now() })
      .where('id', '=', build.id)
      .execute();
    await agent.finish(job, { exit_status: '1' }).expect(200);
    const events = await eventsOf('__typename type ... on JobEventRetryFailed { retryFailedReason }');
    expect(events.filter(({ type }) => type === 'RETRY_FAILED')).toEqual([
      { __typename: 'JobEventRetryFailed', type: 'RETRY_FAILED', retryFailedReason: 'The build was canceled' },
    ]);
  });
});
