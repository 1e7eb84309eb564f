import { sql } from 'kysely';
import { newId } from '../../src/database/ids.js';
import { encodeNodeId } from '../../src/domain/node-id.js';
import { oneOfEverything } from './one-of-everything.js';
import type { World } from './world.js';

const configuration = `
steps:
  - { command: a, key: a }
  - { command: b, depends_on: a }
  - { block: Release?, key: gate }
  - { trigger: other, key: started }
  - wait
`;

/** Columns whose values are unique among the rows of something: a copy has another. */
const distinct = [
  ...['slug', 'name', 'key', 'email', 'identity', 'context', 'delivery_id', 'host', 'path', 'cronline'],
  ...['token_hash', 'session_token_hash', 'webhook_token_hash', 'badge_token_hash', 'previous_token_hash'],
];

/** Events of jobs by their types on GraphQL; each type has a job with only such events. */
const eventTypes: Readonly<Record<string, object>> = {
  JobEventAssigned: { type: 'job.assign' },
  JobEventCanceled: { type: 'job.cancel', to_state: 'canceled' },
  JobEventChanged: { type: 'job.change' },
  JobEventFinished: { type: 'job.pass' },
  JobEventPromisedExitStatus: { type: 'job.promise_failure' },
  JobEventReprioritized: { type: 'job.reprioritize' },
  JobEventRetried: { type: 'job.retry' },
  JobEventRetryFailed: { type: 'job.retry_failed' },
  JobEventStackError: { type: 'job.stack_error' },
  JobEventStackFinished: { type: 'job.stack_finish' },
  JobEventStackNotification: { type: 'job.stack_notification' },
  JobEventTimedOut: { type: 'job.time_out', to_state: 'timed_out' },
};

/**
 * The node ids of objects whose lists have twenty items, by their types, or by the type of the items where these lists
 * have several.
 */
export type Crowded = Readonly<Record<string, string>>;

/**
 * One of everything with nineteen copies beside it, so that every list of the returned objects has twenty items or
 * more. The copies are rows: they need not make sense beyond that.
 */
export async function twentyOfEverything(world: World): Promise<Crowded> {
  const known = await oneOfEverything(world, configuration);
  const at = known('');
  const { db } = world.services;
  const admin = world.admin.id;
  const organization = world.organization.id;

  const copies = (table: string, id: string | undefined, changes?: (n: number) => object) =>
    nineteenCopies(world, table, id, changes);
  const first = async (query: ReturnType<typeof sql<{ id: string }>>) => (await query.execute(db)).rows[0]?.id;

  const organizations = await copies('organizations', organization);
  const users = await copies('users', admin);
  const membership = await first(
    sql`select id from organization_members where organization_id = ${organization} and user_id = ${admin}`,
  );
  await copies('organization_members', membership, (n) => ({ organization_id: organizations[n] }));
  await copies('organization_members', membership, (n) => ({ user_id: users[n] }));
  const pipelines = await copies('pipelines', at['pipeline']);
  const clusters = await copies('clusters', world.clusterId);
  await copies('cluster_queues', at['queue']);
  await copies('agent_tokens', at['token']);
  await copies('cluster_maintainers', at['maintainer'], (n) => ({ user_id: users[n] }));
  await copies('cluster_secrets', at['secret']);
  await copies('pipeline_schedules', at['schedule']);
  await copies('pipeline_triggers', at['trigger']);
  await copies('webhook_deliveries', at['delivery']);
  await copies('pipeline_templates', at['template']);
  await copies('organization_invitations', at['invitation']);
  await copies('rules', at['rule'], (n) => ({ source_pipeline_id: pipelines[n] }));
  await copies('provider_connections', at['connection']);
  await copies('agents', at['agent']);

  const teams = await copies('teams', at['team']);
  const member = await first(sql`select id from team_members where team_id = ${at['team']}`);
  await copies('team_members', member, (n) => ({ user_id: users[n] }));
  await copies('team_members', member, (n) => ({ team_id: teams[n], user_id: admin }));
  const teamPipeline = await first(sql`select id from team_pipelines where team_id = ${at['team']}`);
  await copies('team_pipelines', teamPipeline, (n) => ({ pipeline_id: pipelines[n] }));
  await copies('team_pipelines', teamPipeline, (n) => ({ team_id: teams[n] }));
  const suites = await copies('suites', at['suite']);
  const teamSuite = await first(sql`select id from team_suites where team_id = ${at['team']}`);
  await copies('team_suites', teamSuite, (n) => ({ suite_id: suites[n] }));
  await copies('team_suites', teamSuite, (n) => ({ team_id: teams[n] }));
  await sql`insert into test_ownerships (suite_id, organization_id, content, stored_at)
    select id, organization_id, '# nobody yet', created_at from suites on conflict do nothing`.execute(db);
  await copies('suite_runs', at['run']);
  const tests = await copies('suite_tests', at['test']);
  const execution = await first(sql`select id from suite_executions where run_id = ${at['run']}`);
  await copies('suite_executions', execution);
  await copies('suite_executions', execution, (n) => ({ test_id: tests[n] }));
  await copies('test_workflows', at['workflow']);
  await copies('test_workflow_events', known('/workflows/')['event'], (n) => ({ test_id: tests[n] }));
  await copies('notification_deliveries', known('/workflows/')['delivery']);
  await sql`insert into test_workflow_states (workflow_id, test_id, suite_id, generation, memory, alarm_id, alarm_at)
    select ${at['workflow']}::uuid, id, suite_id, 1, '{}'::jsonb, gen_random_uuid(), created_at from suite_tests
    on conflict do nothing`.execute(db);

  await copies('culprit_searches', at['search']);
  await sql`insert into culprit_builds (search_id, position, organization_id, build_id, verdict, created_at)
    select id, 3, organization_id, build_id, 'bad', created_at from culprit_searches on conflict do nothing`.execute(
    db,
  );
  const build = await first(sql`select id from builds where pipeline_id = ${at['pipeline']} order by number`);
  await sql`update builds set pipeline_schedule_id = ${at['schedule']} where id = ${build}`.execute(db);
  const builds = await copies('builds', build);
  const jobs = await sql<{ id: string; type: string }>`select id, type from jobs where build_id = ${build}`.execute(db);
  const others: string[] = [];
  for (const type of new Set(jobs.rows.map((job) => job.type)))
    others.push(...(await copies('jobs', jobs.rows.find((job) => job.type === type)?.id)));
  // And one of each build.
  await copies('jobs', at['job'], (n) => ({ build_id: builds[n] }));
  await sql`update jobs set agent_id = ${at['agent']}, state = 'finished', passed = true where pipeline_id = ${at['pipeline']} and type = 'command'`.execute(
    db,
  );
  await sql`update builds set creator_id = ${admin} where id = ${build}`.execute(db);
  const annotation = await first(sql`select id from annotations where job_id is not null`);
  // Rendered already: who reads one first renders and stores it, one after another.
  await sql`update annotations set body_html = body where id = ${annotation}`.execute(db);
  await copies('annotations', annotation);
  await copies('annotations', annotation, () => ({ job_id: null }));
  await copies('artifacts', at['artifact']);
  await copies('events', at['build_event']);
  await copies('step_uploads', at['upload'], () => ({ uuid: newId(world.clock.now()) }));
  const eventful: Record<string, string> = {};
  const commands = jobs.rows.filter((job) => job.type === 'command');
  const free = others.filter((_, index) => index < commands.length * 19);
  const types = {
    ...eventTypes,
    JobEventBuildStepUploadCreated: { type: 'job.upload', data: { upload: at['upload'] } },
  };
  for (const [index, [name, changes]] of Object.entries(types).entries()) {
    const [job_id = ''] = free.slice(index);
    for (const _ of [1, 2])
      await copies('events', at['build_event'], () => ({ job_id, subject_id: job_id, ...changes }));
    eventful[name] = encodeNodeId('Job', job_id);
  }
  await sql`insert into build_meta_data (organization_id, build_id, key, value) select ${organization}::uuid, ${build}::uuid, 'k' || n, 'v' from generate_series(1, 20) as n`.execute(
    db,
  );
  await copies('notification_services', at['service']);
  await sql`insert into build_notifications (id, organization_id, pipeline_id, build_id, channel, target, event, outcome, created_at, updated_at)
    select gen_random_uuid(), ${organization}::uuid, ${at['pipeline']}::uuid, ${build}::uuid, 'email', 'a@example.com', 'build.finished', 'sent', now(), now()
    from generate_series(1, 20)`.execute(db);
  await copies('notification_deliveries', known('/services/')['delivery']);
  await copies('audit_events', at['event']);
  await copies('audit_events', at['event']);
  const token = await first(sql`select id from api_tokens where user_id = ${admin}`);
  await copies('api_tokens', token);

  const node = (kind: Parameters<typeof encodeNodeId>[0], id: string | undefined) => encodeNodeId(kind, id ?? '');
  return {
    ...eventful,
    OrganizationMember: node('OrganizationMember', membership),
    User: node('User', admin),
    Pipeline: node('Pipeline', at['pipeline']),
    PipelineSchedule: node('PipelineSchedule', at['schedule']),
    Build: node('Build', build),
    JobTypeCommand: node('Job', at['job']),
    Agent: node('Agent', at['agent']),
    Cluster: node('Cluster', clusters.length > 0 ? world.clusterId : undefined),
    Team: node('Team', at['team']),
    Suite: node('Suite', at['suite']),
    SuiteRun: node('Run', at['run']),
    SuiteTest: node('SuiteTest', at['test']),
    NotificationServiceWebhook: node('NotificationServiceWebhook', at['service']),
    Organization: node('Organization', organization),
  };
}

/**
 * Copies a row nineteen times, with these columns set; returns the ids of the copies. Without an id it is any row of
 * the table.
 */
export async function nineteenCopies(
  { services: { db }, clock }: World,
  table: string,
  id?: string,
  changes: (n: number) => object = () => ({}),
): Promise<string[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(x) as row from ${sql.table(table)} x where id = ${id ?? null}::uuid or ${id ?? null}::uuid is null limit 1`.execute(
    db,
  );
  const row = rows[0]?.row ?? {};
  const copied = Array.from({ length: 19 }, (_, index) => {
    const others = distinct.filter((column) => typeof row[column] === 'string');
    return {
      ...row,
      id: newId(clock.now()),
      ...Object.fromEntries(others.map((column) => [column, `${String(row[column])}-${index}`])),
      ...(typeof row['number'] === 'number' ? { number: row['number'] + 100 + index } : {}),
      ...(typeof row['position'] === 'number' ? { position: row['position'] + 9000 + index } : {}),
      ...changes(index),
    };
  });
  await sql`insert into ${sql.table(table)}
    select (jsonb_populate_record(null::${sql.table(table)}, each)).*
    from jsonb_array_elements(${JSON.stringify(copied)}::jsonb) as each`.execute(db);
  return copied.map((each) => each.id);
}
