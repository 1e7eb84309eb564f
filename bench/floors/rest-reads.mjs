// The floor of reading over /v2: each page is one prepared statement that returns the JSON text of the same reply. It asks for
// no token, checks no rights, and is told what the product works out (the steps shown of the one configuration there is).
import { serveFloor } from '../harness/product.mjs';
import { ids } from '../harness/organization.mjs';

const base = process.env.PRODUCT_URL;
const v2 = `${base}/v2/organizations/bench`;
const steps = Array.from({ length: 5 }, (_, n) => ({
  type: 'script',
  name: `Test ${n + 1}`,
  command: `make test-${n + 1}`,
  artifact_paths: null,
  branch_configuration: null,
  env: {},
  timeout_in_minutes: null,
  agent_query_rules: [],
  concurrency: null,
  parallelism: null,
}));
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
const time = (column) =>
  `case when ${column} is null then null else to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`;
/** The product seals tokens when it starts; here they follow from the slug. */
const token = (kind) => `case p.slug when 'app' then 'bench-${kind}' else p.slug end`;
const nodeId = (type, column) => `encode(convert_to('${type}---' || ${column}, 'UTF8'), 'base64')`;
const object = (members) =>
  `json_build_object(${Object.entries(members)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`;

const user = (u) =>
  `case when ${u}.id is null then null else ${object({
    id: `${u}.id`,
    graphql_id: nodeId('User', `${u}.id`),
    name: `${u}.name`,
    email: `${u}.email`,
    avatar_url: `'${base}/avatars/' || md5(${u}.email) || '.svg'`,
    created_at: time(`${u}.created_at`),
  })} end`;

const pipeline = object({
  id: 'p.id',
  graphql_id: nodeId('Pipeline', 'p.id'),
  url: `'${v2}/pipelines/' || p.slug`,
  web_url: `'${base}/bench/' || p.slug`,
  name: 'p.name',
  description: 'p.description',
  slug: 'p.slug',
  repository: 'p.repository',
  cluster_id: 'p.cluster_id',
  pipeline_template_uuid: 'p.pipeline_template_id',
  branch_configuration: 'p.branch_configuration',
  default_branch: 'p.default_branch',
  skip_queued_branch_builds: 'p.skip_queued_branch_builds',
  skip_queued_branch_builds_filter: 'p.skip_queued_branch_builds_filter',
  cancel_running_branch_builds: 'p.cancel_running_branch_builds',
  cancel_running_branch_builds_filter: 'p.cancel_running_branch_builds_filter',
  allow_rebuilds: 'p.allow_rebuilds',
  provider: `json_build_object('id', p.provider_id, 'settings', '{}'::json, 'webhook_url', '${base}/webhooks/deliver/' || ${token('webhook')})`,
  builds_url: `'${v2}/pipelines/' || p.slug || '/builds'`,
  badge_url: `'${base}/badge/' || ${token('badge')} || '.svg'`,
  created_by: `null::text`,
  created_at: time('p.created_at'),
  archived_at: time('p.archived_at'),
  env: `'{}'::json`,
  scheduled_builds_count: `(select count(*) from builds c where c.pipeline_id = p.id and c.state = 'scheduled')`,
  running_builds_count: `(select count(*) from builds c where c.pipeline_id = p.id and c.state = 'running')`,
  scheduled_jobs_count: `(select count(*) from jobs c where c.pipeline_id = p.id and c.state = 'scheduled')`,
  running_jobs_count: `(select count(*) from jobs c where c.pipeline_id = p.id and c.state = 'running')`,
  waiting_jobs_count: `(select count(*) from jobs c where c.pipeline_id = p.id and c.state = 'waiting')`,
  visibility: 'p.visibility',
  tags: 'to_json(p.tags)',
  emoji: 'p.emoji',
  color: 'p.color',
  configuration: 'p.configuration',
  steps: `${quoted(JSON.stringify(steps))}::json`,
  default_command_step_timeout: 'p.default_timeout_in_minutes',
  maximum_command_step_timeout: 'p.maximum_timeout_in_minutes',
  retention: 'null::text',
});

const agent = `case when a.id is null then null else ${object({
  id: 'a.id',
  graphql_id: nodeId('Agent', 'a.id'),
  url: `'${v2}/agents/' || a.id`,
  web_url: `'${base}/organizations/bench/agents/' || a.id`,
  name: 'a.name',
  connection_state: 'a.connection_state',
  ip_address: 'a.ip_address',
  hostname: 'a.hostname',
  user_agent: 'a.user_agent',
  version: 'a.version',
  creator: 'null::text',
  created_at: time('a.created_at'),
  job: 'null::text',
  last_job_finished_at: time('a.last_job_finished_at'),
  priority: 'a.priority',
  meta_data: 'to_json(a.meta_data)',
})} end`;

const buildUrl = `'${v2}/pipelines/' || p.slug || '/builds/' || b.number`;
const jobUrl = `${buildUrl} || '/jobs/' || j.id`;
const cluster = `'${v2}/clusters/' || j.cluster_id`;
const job = object({
  id: 'j.id',
  graphql_id: nodeId('Job', 'j.id'),
  type: `'script'`,
  name: 'j.label',
  step_key: 's.key',
  step: `json_build_object('id', s.id, 'signature', null)`,
  priority: `json_build_object('number', j.priority)`,
  agent_query_rules: 'to_json(j.agent_query_rules)',
  state: `case when j.state = 'finished' then case when j.passed then 'passed' else 'failed' end else j.state end`,
  build_url: buildUrl,
  web_url: `'${base}/bench/' || p.slug || '/builds/' || b.number || '#' || j.id`,
  log_url: `${jobUrl} || '/log'`,
  raw_log_url: `${jobUrl} || '/log.txt'`,
  artifacts_url: `${jobUrl} || '/artifacts'`,
  command: 'j.command',
  soft_failed: 'j.soft_failed',
  exit_status: 'j.exit_status',
  signal: 'j.signal',
  signal_reason: 'j.signal_reason',
  broken_reason: 'null::text',
  artifact_paths: 'null::text',
  log_expired_at: time('j.log_expired_at'),
  agent,
  created_at: time('j.created_at'),
  scheduled_at: time('j.scheduled_at'),
  runnable_at: time('j.runnable_at'),
  concurrency_wait_time_ms: 'null::int',
  started_at: time('j.started_at'),
  finished_at: time('j.finished_at'),
  expired_at: time('j.expired_at'),
  retried: 'j.retried',
  retried_in_job_id: 'null::text',
  retries_count: 'null::text',
  retry_source: 'null::text',
  retry_type: 'j.retry_type',
  parallel_group_index: 'j.parallel_group_index',
  parallel_group_total: 'j.parallel_group_total',
  matrix: 'j.matrix',
  retried_by: 'null::text',
  cluster_id: 'j.cluster_id',
  cluster_url: cluster,
  cluster_queue_id: 'j.cluster_queue_id',
  cluster_queue_url: `${cluster} || '/queues/' || j.cluster_queue_id`,
});

const build = (more = {}) =>
  object({
    id: 'b.id',
    graphql_id: nodeId('Build', 'b.id'),
    url: buildUrl,
    web_url: `'${base}/bench/' || p.slug || '/builds/' || b.number`,
    number: 'b.number',
    state: 'b.state',
    blocked: 'false',
    blocked_state: 'null::text',
    message: 'b.message',
    commit: 'b.commit',
    branch: 'b.branch',
    tag: 'b.tag',
    env: 'b.env',
    source: 'b.source',
    author: 'b.author',
    creator: user('u'),
    created_at: time('b.created_at'),
    scheduled_at: time('b.scheduled_at'),
    started_at: time('b.started_at'),
    finished_at: time('b.finished_at'),
    meta_data: `(select coalesce(json_object_agg(m.key, m.value), '{}') from build_meta_data m where m.build_id = b.id)`,
    pull_request: `'{}'::json`,
    rebuilt_from: 'null::text',
    cancel_reason: 'b.cancel_reason',
    failing_at: time('b.failing_at'),
    culprit_search_id: 'null::text',
    triggered_from: 'null::text',
    merge_queue: 'null::text',
    pin: 'null::text',
    pipeline,
    jobs: `(select json_agg(${job} order by j.position) from jobs j join steps s on s.id = j.step_id left join agents a on a.id = j.agent_id where j.build_id = b.id and not j.retried)`,
    ...more,
  });

const tables = 'builds b join pipelines p on p.id = b.pipeline_id left join users u on u.id = b.creator_id';
const pages = [
  {
    pattern: /^\/v2\/organizations\/bench\/pipelines$/,
    name: 'pipelines',
    text: `select coalesce(json_agg(shown order by created_at desc, id desc), '[]')::text as text from (select p.id, p.created_at, ${pipeline} as shown from pipelines p where p.organization_id = $1 order by p.created_at desc, p.id desc limit 30) p`,
    values: () => [ids.organization],
  },
  {
    pattern: /\/pipelines\/([\w-]+)\/builds$/,
    name: 'builds',
    text: `select coalesce(json_agg(shown order by id desc), '[]')::text as text from (select b.id, ${build()} as shown from ${tables} where b.pipeline_id = (select id from pipelines where organization_id = $1 and slug = $2) order by b.id desc limit 30) b`,
    values: ([, slug]) => [ids.organization, slug],
  },
  {
    pattern: /\/pipelines\/([\w-]+)\/builds\/(\d+)$/,
    name: 'build',
    text: `select (${build({ job_state_counts: `(select json_build_object('total', sum(count), 'states', json_object_agg(state, count)) from (select case when j.state = 'finished' then 'passed' else j.state end as state, count(*) as count from jobs j where j.build_id = b.id group by 1) counted)` })})::text as text from ${tables} where b.pipeline_id = (select id from pipelines where organization_id = $1 and slug = $2) and b.number = $3`,
    values: ([, slug, number]) => [ids.organization, slug, number],
  },
];

await serveFloor(async (pool, url) => {
  for (const { pattern, name, text, values } of pages) {
    const found = pattern.exec(url);
    if (found) return (await pool.query({ name, text, values: values(found) })).rows[0].text;
  }
  throw new Error(`The floor has no ${url}`);
});
