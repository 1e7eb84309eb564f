import { runUntilIdle } from '../../support/run-until-idle.js';
import type { PipelineRow } from '../../../src/entities/database.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';

const selection =
  'id uuid type action effect description sourceType targetType document conditions organization { uuid } createdBy { uuid } source { ... on Pipeline { uuid slug } } target { ... on Pipeline { uuid slug } }';
const asRest = (rule: Data) => ({
  uuid: rule.uuid,
  graphql_id: rule.id,
  organization_uuid: rule.organization.uuid,
  type: rule.type,
  description: rule.description,
  source_type: rule.sourceType.toLowerCase(),
  source_uuid: rule.source.uuid,
  target_type: rule.targetType.toLowerCase(),
  target_uuid: rule.target.uuid,
  conditions: rule.conditions,
  effect: rule.effect.toLowerCase(),
  action: rule.action.toLowerCase(),
  created_by: rule.createdBy.uuid,
});
const inWords = ({ url: _url, created_at: _at, created_by, ...rule }: Data) => ({ ...rule, created_by: created_by.id });
const create = `mutation ($input: RuleCreateInput!) { ruleCreate(input: $input) { rule { ${selection} } } }`;
const update = `mutation ($input: RuleUpdateInput!) { ruleUpdate(input: $input) { rule { ${selection} } } }`;
const path = '/organizations/acme/rules';
const trigger = 'pipeline.trigger_build.pipeline';

describe('rules on both surfaces', () => {
  let surfaces: BothSurfaces;
  let pipelines: PipelineRow[];
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ teamsEnabled: true });
    pipelines = [];
    for (const slug of ['ci', 'cd', 'docs'])
      pipelines.push(await surfaces.world.pipeline('steps: [{ command: x }]', { slug }));
  });
  afterAll(() => surfaces.close());

  const rows = () => surfaces.world.services.db.selectFrom('rules').selectAll().orderBy('id').execute();
  const value = (source: string, target: string) => ({ source_pipeline: source, target_pipeline: target });

  test("creating, reading, updating and deleting a rule leave the same rows and events ('rule.create', 'rule.update', 'rule.delete')", async () => {
    const { world } = surfaces;
    const organizationId = world.organization.id;
    const [ci, cd, docs] = pipelines as [PipelineRow, PipelineRow, PipelineRow];
    const rest = await surfaces.read([
      'post',
      path,
      { type: trigger, description: 'deploys', value: value('ci', cd.id) },
    ]);
    const made = (
      await surfaces.select([
        create,
        {
          input: { organizationId, type: trigger, description: 'deploys', value: JSON.stringify(value(ci.id, 'docs')) },
        },
      ])
    ).ruleCreate.rule;
    const [first, second] = await rows();
    const compared = ({
      id: _id,
      targetPipelineId: _target,
      createdAt: _made,
      updatedAt: _changed,
      ...row
    }: NonNullable<typeof first>) => row;
    expect(compared(second!)).toEqual(compared(first!));
    expect([first!.targetPipelineId, second!.targetPipelineId]).toEqual([cd.id, docs.id]);
    expect(rest).toEqual({
      uuid: first!.id,
      graphql_id: Buffer.from(`Rule---${first!.id}`).toString('base64'),
      organization_uuid: organizationId,
      url: `http://slipway.test/v2${path}/${first!.id}`,
      type: trigger,
      description: 'deploys',
      source_type: 'pipeline',
      source_uuid: ci.id,
      target_type: 'pipeline',
      target_uuid: cd.id,
      conditions: [],
      effect: 'allow',
      action: 'trigger_build',
      created_at: expect.any(String),
      created_by: expect.objectContaining({ id: world.admin.id }),
    });
    expect(JSON.parse(made.document)).toEqual({ rule: trigger, value: value(ci.id, docs.id) });

    const listed = await surfaces.read(['get', path]);
    const { organization } = await surfaces.select([
      `{ organization(slug: "acme") { rules(first: 10) { count nodes { ${selection} } } } }`,
    ]);
    expect(organization.rules.count).toBe(2);
    expect(organization.rules.nodes.map(asRest)).toEqual(listed.map(inWords));
    expect(await surfaces.read(['get', `${path}/${made.uuid}`])).toEqual(listed[0]);
    const read = await surfaces.select([
      `{ rule(uuid: "${made.uuid}") { ${selection} } node(id: "${made.id}") { ... on Rule { ${selection} } } }`,
    ]);
    expect(read).toEqual({ rule: made, node: made });
    expect((await surfaces.read(['get', `${path}?target=${cd.id}`])).map(({ uuid }: Data) => uuid)).toEqual([
      rest.uuid,
    ]);
    expect(await surfaces.read(['get', `${path}?source=${cd.id}`])).toEqual([]);
    const narrowed = await surfaces.select([
      `{ organization(slug: "acme") { a: rules(targetId: "${cd.id}", sourceType: PIPELINE) { nodes { uuid } } b: rules(action: ARTIFACTS_READ) { count } c: rules(sourceId: "${ci.id}", action: [TRIGGER_BUILD]) { count } } }`,
    ]);
    expect(narrowed.organization).toEqual({ a: { nodes: [{ uuid: rest.uuid }] }, b: { count: 0 }, c: { count: 2 } });

    const changed = await surfaces.read([
      'patch',
      `${path}/${rest.uuid}`,
      { description: null, value: value('docs', 'cd') },
    ]);
    expect(changed).toMatchObject({ description: null, source_uuid: docs.id, target_uuid: cd.id, type: trigger });
    const { ruleUpdate } = await surfaces.select([
      update,
      { input: { organizationId, id: made.id, description: null, value: JSON.stringify(value('docs', 'ci')) } },
    ]);
    expect(asRest(ruleUpdate.rule)).toMatchObject({ description: null, source_uuid: docs.id, target_uuid: ci.id });

    expect((await surfaces.rest(['delete', `${path}/${rest.uuid}`])).status).toBe(204);
    expect((await surfaces.rest(['delete', `${path}/${rest.uuid}`])).status).toBe(404);
    const { ruleDelete } = await surfaces.select([
      `mutation { ruleDelete(input: { organizationId: "${organizationId}", id: "${made.uuid}" }) { deletedRuleId } }`,
    ]);
    expect(ruleDelete).toEqual({ deletedRuleId: made.id });
    expect(await rows()).toEqual([]);
    const events = await world.services.db
      .selectFrom('events')
      .select(['type', 'subject', 'actorId'])
      .where('type', 'like', 'rule.%')
      .orderBy('id')
      .execute();
    expect(events.map(({ type }) => type)).toEqual([
      'rule.create',
      'rule.create',
      'rule.update',
      'rule.update',
      'rule.delete',
      'rule.delete',
    ]);
    const { items } = await surfaces.read(['get', '/organizations/acme/audit_events?subject_type=RULE']);
    expect(items.map(({ type }: Data) => type)).toEqual([
      'RuleDeletedEvent',
      'RuleDeletedEvent',
      'RuleUpdatedEvent',
      'RuleUpdatedEvent',
      'RuleCreatedEvent',
      'RuleCreatedEvent',
    ]);
  });

  test('both surfaces refuse an invalid rule with the same message and change nothing', async () => {
    const organizationId = surfaces.world.organization.id;
    await surfaces.read(['post', path, { type: trigger, value: value('ci', 'cd') }]);
    const before = await rows();
    const cases: [string, object][] = [
      ['pipeline.delete.pipeline', value('ci', 'cd')],
      [trigger, value('ci', 'nowhere')],
      [trigger, value('ci', 'ci')],
      [trigger, value('ci', 'cd')],
      [trigger, { source_pipeline: 'ci' }],
      [trigger, { ...value('ci', 'docs'), conditions: ['build.branch == "main"'] }],
      [trigger, { ...value('ci', 'docs'), conditions: ['source.build.branch'] }],
      [trigger, { ...value('ci', 'docs'), conditions: ['source.build.branch =='] }],
      [trigger, { ...value('ci', 'docs'), conditions: [' '] }],
      [trigger, { ...value('ci', 'docs'), conditions: 'source.build.branch == "main"' }],
      [trigger, { ...value('ci', 'docs'), conditions: Array(21).fill('source.build.branch == "main"') }],
    ];
    for (const [type, given] of cases) {
      const { status, body } = await surfaces.rest(['post', path, { type, value: given }]);
      expect([type, given, status, body.errors]).toEqual([type, given, 422, undefined]);
      const { errors } = await surfaces.graphql([
        create,
        { input: { organizationId, type, value: JSON.stringify(given) } },
      ]);
      expect([type, given, errors?.length]).toEqual([type, given, 1]);
    }
    expect((await surfaces.rest(['post', path, {}])).status).toBe(422);
    expect(await rows()).toEqual(before);
  });

  test('rules are refused to members and hidden from strangers', async () => {
    const { member, outsider, organization } = surfaces.world;
    const [rule] = await rows();
    const body = { type: trigger, value: value('ci', 'docs') };
    expect([
      (await surfaces.rest(['get', path], member)).status,
      (await surfaces.rest(['post', path, body], member)).status,
      (await surfaces.rest(['delete', `${path}/${rule!.id}`], member)).status,
    ]).toEqual([403, 403, 403]);
    const missing = await surfaces.rest(['get', `${path}/${organization.id}`]);
    for (const call of [
      ['get', `${path}/${rule!.id}`],
      ['delete', `${path}/${rule!.id}`],
      ['patch', `${path}/${rule!.id}`, {}],
    ] as const) {
      expect((await surfaces.rest([...call] as never, outsider)).text).toBe(missing.text);
    }
    expect((await surfaces.graphql([`{ rule(uuid: "${rule!.id}") { uuid } }`], outsider)).data).toEqual({ rule: null });
    expect(await rows()).toHaveLength(1);
  });

  test('a rule is deleted with either of its pipelines', async () => {
    const gone = await surfaces.world.pipeline('steps: [{ command: x }]', { slug: 'gone' });
    await surfaces.read(['post', path, { type: 'pipeline.artifacts_read.pipeline', value: value('gone', 'cd') }]);
    await surfaces.read(['post', path, { type: trigger, value: value('cd', gone.id) }]);
    expect((await surfaces.rest(['delete', '/organizations/acme/pipelines/gone'])).status).toBe(204);
    expect((await rows()).map(({ sourcePipelineId }) => sourcePipelineId)).toEqual([pipelines[0]!.id]);
  });

  test('a trigger step builds a pipeline in another cluster only where a rule allows it, and otherwise fails with the reason', async () => {
    const { world } = surfaces;
    const { db } = world.services;
    const clusterId = await world.insert('clusters', { organizationId: world.organization.id, name: 'Deploy' });
    const target = await world.pipeline('steps: [{ command: deploy }]', { slug: 'deploy', clusterId });
    await world.pipeline('steps: [{ trigger: deploy }]', { slug: 'release' });
    const release = async () => {
      const build = await surfaces.read([
        'post',
        '/organizations/acme/pipelines/release/builds',
        { commit: 'HEAD', branch: 'main' },
      ]);
      await runUntilIdle(world.services);
      const job = await db
        .selectFrom('jobs')
        .select(['id', 'state', 'passed', 'triggeredBuildId'])
        .where('buildId', '=', build.id)
        .executeTakeFirstOrThrow();
      const events = await db
        .selectFrom('events')
        .select('reason')
        .where('jobId', '=', job.id)
        .orderBy('sequence')
        .execute();
      return { job, reason: events.at(-1)?.reason };
    };
    const made = () => db.selectFrom('builds').select('id').where('pipelineId', '=', target.id).execute();

    const refused = await release();
    expect(refused).toMatchObject({
      job: { state: 'finished', passed: false, triggeredBuildId: null },
      reason: expect.stringContaining('another cluster'),
    });
    expect(await made()).toEqual([]);
    // Neither a rule in the other direction nor a rule about artifacts allows the trigger.
    await surfaces.read(['post', path, { type: trigger, value: value('deploy', 'release') }]);
    await surfaces.read([
      'post',
      path,
      { type: 'pipeline.artifacts_read.pipeline', value: value('release', 'deploy') },
    ]);
    expect((await release()).job.triggeredBuildId).toBeNull();

    const rule = await surfaces.read(['post', path, { type: trigger, value: value('release', 'deploy') }]);
    const allowed = await release();
    expect(allowed.job).toMatchObject({ state: 'running', triggeredBuildId: (await made())[0]!.id });
    const child = await db
      .selectFrom('jobs')
      .select('clusterId')
      .where('buildId', '=', (await made())[0]!.id)
      .executeTakeFirstOrThrow();
    expect(child.clusterId).toBe(clusterId);

    await surfaces.rest(['delete', `${path}/${rule.uuid}`]);
    expect((await release()).job.triggeredBuildId).toBeNull();
    expect(await made()).toHaveLength(1);
  });

  test('a rule with conditions allows the builds for which all of them are true, and no others', async () => {
    const { world } = surfaces;
    const { db } = world.services;
    await world.pipeline('steps: [{ trigger: guarded }]', { slug: 'conditional' });
    const clusterId = await world.insert('clusters', { organizationId: world.organization.id, name: 'Guarded' });
    await world.pipeline('steps: [{ command: x }]', { slug: 'guarded', clusterId });
    const triggered = async (branch: string) => {
      const build = await surfaces.read([
        'post',
        '/organizations/acme/pipelines/conditional/builds',
        { commit: 'HEAD', branch },
      ]);
      await runUntilIdle(world.services);
      const { triggeredBuildId } = await db
        .selectFrom('jobs')
        .select('triggeredBuildId')
        .where('buildId', '=', build.id)
        .executeTakeFirstOrThrow();
      return triggeredBuildId !== null;
    };
    const conditions = ['source.build.branch == "main" || source.build.branch =~ /^release/'];
    const teams = `source.build.creator.teams includes 'deployers'`;
    const rule = await surfaces.read([
      'post',
      path,
      { type: trigger, value: { ...value('conditional', 'guarded'), conditions } },
    ]);
    expect(rule.conditions).toEqual(conditions);
    expect([await triggered('main'), await triggered('release/1'), await triggered('dev')]).toEqual([
      true,
      true,
      false,
    ]);

    const input = { organizationId: world.organization.id, id: rule.uuid };
    const both = { ...value('conditional', 'guarded'), conditions: [...conditions, teams] };
    const changed = (await surfaces.select([update, { input: { ...input, value: JSON.stringify(both) } }])).ruleUpdate
      .rule;
    expect(JSON.parse(changed.document).value.conditions).toEqual([...conditions, teams]);
    expect(await triggered('main')).toBe(false);
    const teamId = await world.insert('teams', {
      organizationId: world.organization.id,
      slug: 'deployers',
      name: 'Deployers',
    });
    const membership = {
      organizationId: world.organization.id,
      teamId,
      userId: world.admin.id,
      role: 'member',
    } as const;
    await world.insert('team_members', membership);
    expect([await triggered('main'), await triggered('dev')]).toEqual([true, false]);

    // A change of the description leaves the conditions, a new value without any takes them away.
    const kept = await surfaces.read(['patch', `${path}/${rule.uuid}`, { description: 'guarded' }]);
    expect(kept.conditions).toHaveLength(2);
    await surfaces.read(['patch', `${path}/${rule.uuid}`, { value: value('conditional', 'guarded') }]);
    expect(await triggered('dev')).toBe(true);
  });

  test('a rule also allows builds that the permissions of the user alone would not', async () => {
    const { world } = surfaces;
    const { db } = world.services;
    const source = await world.pipeline('steps: [{ trigger: cd }]', { slug: 'mine' });
    const teamId = await world.insert('teams', { organizationId: world.organization.id, slug: 'ours', name: 'Ours' });
    await world.insert('team_members', {
      organizationId: world.organization.id,
      teamId,
      userId: world.member.id,
      role: 'member',
    });
    await world.insert('team_pipelines', {
      organizationId: world.organization.id,
      teamId,
      pipelineId: source.id,
      accessLevel: 'build_and_read',
    });
    const triggered = async () => {
      const build = await surfaces.read(
        ['post', '/organizations/acme/pipelines/mine/builds', { commit: 'HEAD', branch: 'main' }],
        world.member,
      );
      await runUntilIdle(world.services);
      return (
        await db.selectFrom('jobs').select('triggeredBuildId').where('buildId', '=', build.id).executeTakeFirstOrThrow()
      ).triggeredBuildId;
    };
    expect(await triggered()).toBeNull();
    await surfaces.read(['post', path, { type: trigger, value: value('mine', 'cd') }]);
    expect(await triggered()).not.toBeNull();
  });
});
