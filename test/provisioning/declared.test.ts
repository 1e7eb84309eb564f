import { writeProvisioning } from '../../src/provisioning/write-file.js';
import { applyProvisioning, type ApplyOptions } from '../../src/provisioning/apply.js';
import { readProvisioning } from '../../src/provisioning/read-file.js';
import { perform } from '../../src/core/operation.js';
import { exportPlan } from '../../src/operations/installation/provisioning/export.js';
import { deletePipeline } from '../../src/operations/pipelines/delete.js';
import { World } from '../support/world.js';

const env = {
  DEPLOY_KEY: 'a deploy key',
  HOOK_TOKEN: 'a token of the receiver',
  FORGE_TOKEN: 'a token of the forge',
  AGENT: 'agent-token-of-the-machines',
  TOKEN: 'token-of-twenty-characters',
};

const file = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - slug: lovelace
    name: Lovelace Ltd
    plan: enterprise
    default_cluster: Linux
    retention: {builds: {days: 365}, artifacts: {days: 30, count: 20}, audit: {days: 730}}
    members: [{user: ada@example.com, role: admin}]
    clusters:
      - name: Linux
        queues: [{key: default}]
        agent_tokens: [{description: machines, token: "\${AGENT}"}]
    templates:
      - {name: Node, configuration: "steps: [{command: npm test}]", available: true}
    provider_connections:
      - {name: forge, provider: gitea, api_url: "https://git.example.com/", token: "\${FORGE_TOKEN}", webhook_secret: s3cret}
    pipelines:
      - slug: engine
        name: Analytical Engine
        repository: git@github.com:lovelace/engine.git
        description: Numbers
        default_branch: main
        tags: [core]
        retention: {logs: {days: 90}, overrides: [{branches: release/*, builds: {}, last: false}]}
        default_timeout_in_minutes: 30
        provider_settings: {trigger_mode: code, build_tags: true}
        configuration: |
          env: {RELEASE: "yes"}
          steps:
            - command: make $\${TARGET}
        schedules:
          - {label: nightly, cronline: "0 3 * * *", branch: stable, env: {NIGHTLY: "1"}}
      - {slug: notes, name: Notes, repository: "https://example.com/notes.git", template: Node}
      - slug: visual
        name: Visual
        repository: https://example.com/visual.git
        env: {CI_MODE: fast}
        steps: [{type: script, name: Test, command: make test}]
    rules:
      - type: pipeline.trigger_build.pipeline
        value: {source_pipeline: engine, target_pipeline: notes, conditions: ['source.build.branch == "main"']}
        description: notes follow
    teams:
      - {slug: everyone, name: Everyone, pipelines: [{slug: engine, access_level: build_and_read}]}
    secrets:
      - {key: DEPLOY_KEY, value: "\${DEPLOY_KEY}", description: for the deploy step}
    notification_services:
      - description: chat
        scope: some_projects
        scope_uuids: [engine]
        settings: {url: "https://hooks.example.com/ci", token: "\${HOOK_TOKEN}", events: [build.finished]}
api_tokens:
  - {user: ada@example.com, description: laptop, token: "\${TOKEN}", scopes: [], organizations: [lovelace]}
`;

describe('a provisioning file with pipelines and all around them', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const apply = (text: string, options: ApplyOptions = {}, variables: Record<string, string> = env) =>
    applyProvisioning(world.services, readProvisioning(text, 'slipway.yaml', variables), options);
  const lines = async (...of: Parameters<typeof apply>) =>
    (await apply(...of)).changes.map(
      ({ action, kind, name, fields }) => `${action} ${kind} ${name}${fields ? ` ${fields.join(' ')}` : ''}`,
    );
  const pipeline = (slug: string) =>
    world.services.db.selectFrom('pipelines').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow();

  test('a dry run names every change and makes none', async () => {
    const planned = await lines(file, { dryRun: true });
    expect(planned).toEqual(expect.arrayContaining(['created pipeline lovelace/engine']));
    expect(await world.services.db.selectFrom('pipelines').select('id').where('slug', '=', 'engine').execute()).toEqual(
      [],
    );
    expect(await lines(file)).toEqual(planned);
    expect(await apply(file)).toEqual({ changes: [], kept: [] });
  });

  test('what was applied is what the file says', async () => {
    const engine = await pipeline('engine');
    expect(engine).toMatchObject({
      name: 'Analytical Engine',
      tags: ['core'],
      retention: { logs: { days: 90 }, overrides: [{ branches: 'release/*', builds: {}, last: false }] },
      defaultTimeoutInMinutes: 30,
      configuration: expect.stringContaining('make ${TARGET}'),
      providerSettings: expect.objectContaining({ trigger_mode: 'code', build_tags: true }),
    });
    expect((await pipeline('notes')).pipelineTemplateId).not.toBeNull();
    expect(await pipeline('visual')).toMatchObject({ env: { CI_MODE: 'fast' }, configuration: null });
    const schedule = await world.services.db.selectFrom('pipeline_schedules').selectAll().executeTakeFirstOrThrow();
    expect(schedule).toMatchObject({ pipelineId: engine.id, label: 'nightly', env: { NIGHTLY: '1' } });
    const service = await world.services.db
      .selectFrom('notification_services')
      .selectAll()
      .where('description', '=', 'chat')
      .executeTakeFirstOrThrow();
    expect(service).toMatchObject({ scopeIds: [engine.id], events: ['build.finished'] });
  });

  test('a changed entry updates the fields that differ', async () => {
    const changed = file
      .replace('description: Numbers', 'description: Larger numbers')
      .replace('0 3 * * *', '0 4 * * *')
      .replace('build_tags: true', 'build_tags: false')
      .replace('notes follow', 'notes come after')
      .replace('logs: {days: 90}', 'logs: {days: 60}')
      .replace('days: 730', 'days: 900');
    expect(await lines(changed)).toEqual([
      'updated organization lovelace retention',
      'updated pipeline lovelace/engine description retention provider_settings',
      'updated schedule lovelace/engine/nightly cronline',
      'updated rule lovelace/pipeline.trigger_build.pipeline/engine/notes description',
    ]);
    expect(await lines(file, {}, { ...env, DEPLOY_KEY: 'another key' })).toEqual(
      expect.arrayContaining(['updated secret lovelace/default cluster/DEPLOY_KEY value']),
    );
    await apply(file);
    expect(await lines(file)).toEqual([]);
  });

  test('a connection gets the token that the file says now, and keeps its kind', async () => {
    const connection = () =>
      world.services.db
        .selectFrom('provider_connections')
        .selectAll()
        .where('name', '=', 'forge')
        .executeTakeFirstOrThrow();
    const before = await connection();
    expect(before).toMatchObject({ apiUrl: 'https://git.example.com/api/v1', host: 'git.example.com' });
    expect(await lines(file, {}, { ...env, FORGE_TOKEN: 'another token' })).toEqual([
      'updated provider connection lovelace/forge token',
    ]);
    expect((await connection()).token).not.toBe(before.token);
    await expect(apply(file.replace('provider: gitea', 'provider: gitlab'))).rejects.toThrow(
      'provider of connection forge is gitea, which cannot be changed',
    );
    await expect(apply(file.replace('provider: gitea', 'provider: github_app'))).rejects.toThrow(/./);
    await apply(file);
  });

  test('an exported file is applied without a change, and shows no secret', async () => {
    const written = writeProvisioning(await perform(exportPlan, world.system(), { organizations: ['lovelace'] }));
    expect(written.variables).toEqual([
      'LOVELACE_CHAT_NOTIFICATION_TOKEN',
      'LOVELACE_FORGE_PROVIDER_TOKEN',
      'LOVELACE_FORGE_WEBHOOK_SECRET',
      'LOVELACE_LINUX_DEPLOY_KEY_SECRET',
      'LOVELACE_LINUX_MACHINES_AGENT_TOKEN',
    ]);
    for (const secret of Object.values(env)) expect(written.text).not.toContain(secret);
    expect(written.text).toContain('make $${TARGET}');
    const variables = {
      LOVELACE_CHAT_NOTIFICATION_TOKEN: env.HOOK_TOKEN,
      LOVELACE_FORGE_PROVIDER_TOKEN: env.FORGE_TOKEN,
      LOVELACE_FORGE_WEBHOOK_SECRET: 's3cret',
      LOVELACE_LINUX_DEPLOY_KEY_SECRET: env.DEPLOY_KEY,
      LOVELACE_LINUX_MACHINES_AGENT_TOKEN: env.AGENT,
    };
    expect(await apply(written.text, {}, variables)).toEqual({ changes: [], kept: [] });
    const whole = writeProvisioning(await perform(exportPlan, world.system(), {}));
    expect(whole.text).toMatch(/description: laptop\n {4}token: \$\{ADA_EXAMPLE_COM_LAPTOP_TOKEN\}\n {4}scopes: \[\]/);
  });

  test('problems of operations have their place in the file, and nothing is changed', async () => {
    const wrong = file
      .replace('cronline: "0 3 * * *"', 'cronline: "61 3 * * *"')
      .replace('trigger_mode: code', 'trigger_mode: maybe')
      .replace('template: Node', 'template: Rust');
    expect(() => readProvisioning(wrong, 'slipway.yaml', env)).toThrow(/slipway\.yaml:33:\d+: cronline has a minute/);
    const later = wrong.replace('"61 3 * * *"', '"0 3 * * *"');
    const message = await apply(later).then(String, (error: Error) => error.message);
    expect(message).toMatch(/slipway\.yaml:27:43: provider_settings\.trigger_mode /);
    expect(message).toMatch(/slipway\.yaml:34:91: there is no template Rust in organization lovelace/);
    expect(await lines(file)).toEqual([]);
  });

  test('a secret written into the file is refused', () => {
    expect(() => readProvisioning(file.replace('"${DEPLOY_KEY}"', 'hunter2'), 'slipway.yaml', env)).toThrow(
      /slipway\.yaml:\d+:\d+: value must be one environment variable/,
    );
  });

  test('pruning deletes what the file does not name of the kinds, and the file can bring it back', async () => {
    const shorter = file
      .replace(/ {6}- \{slug: notes[^\n]*\n/, '')
      .replace(/ {4}rules:\n[^]*? {4}teams:/, '    teams:')
      .replace(/ {8}schedules:\n[^\n]*\n/, '');
    expect(await lines(shorter)).toEqual([]);
    const expected = [
      'deleted rule lovelace/pipeline.trigger_build.pipeline/engine/notes',
      'deleted schedule lovelace/engine/nightly',
      'deleted pipeline lovelace/notes',
    ];
    const options: ApplyOptions = { prune: ['rules', 'schedules', 'pipelines'] };
    expect(await lines(shorter, { ...options, dryRun: true })).toEqual(expected);
    expect(await lines(shorter, options)).toEqual(expected);
    expect(await lines(file)).toEqual([
      'created schedule lovelace/engine/nightly',
      'created pipeline lovelace/notes',
      'created rule lovelace/pipeline.trigger_build.pipeline/engine/notes',
    ]);
  });

  test('a pipeline deleted through the API is not created again', async () => {
    const { id } = await pipeline('visual');
    await perform(deletePipeline, world.system(), { pipeline: { id } });
    expect(await apply(file)).toEqual({
      changes: [],
      kept: [{ kind: 'pipeline', name: 'lovelace/visual', reason: 'deleted' }],
    });
  });
});
