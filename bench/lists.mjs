// The 30 newest of 20,000 builds with their 150 jobs, over REST and GraphQL, beside one SQL statement that returns the
// JSON text, served by node:http: DATABASE_URL=… node bench/lists.mjs (after a build).
import { fileURLToPath } from 'node:url';
import {
  call,
  callOk,
  compare,
  ids,
  seedBuilds,
  seedOrganization,
  serveFloor,
  startFloor,
  startProduct,
  withDatabase,
} from './support.mjs';

const statement = `select coalesce(json_agg(b.shown order by b.id desc), '[]')::text as text from (
  select b.id, json_build_object('id', b.id, 'number', b.number, 'state', b.state, 'message', b.message, 'commit', b.commit, 'branch', b.branch, 'tag', b.tag, 'env', b.env,
    'source', b.source, 'author', b.author, 'creator', json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'created_at', u.created_at),
    'created_at', b.created_at, 'scheduled_at', b.scheduled_at, 'started_at', b.started_at, 'finished_at', b.finished_at,
    'meta_data', (select coalesce(json_object_agg(m.key, m.value), '{}') from build_meta_data m where m.build_id = b.id),
    'pipeline', json_build_object('id', p.id, 'slug', p.slug, 'name', p.name, 'repository', p.repository, 'configuration', p.configuration, 'created_at', p.created_at),
    'jobs', (select json_agg(json_build_object('id', j.id, 'type', j.type, 'name', j.label, 'state', j.state, 'command', j.command, 'agent_query_rules', j.agent_query_rules,
      'exit_status', j.exit_status, 'soft_failed', j.soft_failed, 'priority', j.priority, 'retried', j.retried, 'created_at', j.created_at, 'scheduled_at', j.scheduled_at,
      'started_at', j.started_at, 'finished_at', j.finished_at) order by j.position) from jobs j where j.build_id = b.id and not j.retried)) as shown
  from builds b join pipelines p on p.id = b.pipeline_id left join users u on u.id = b.creator_id
  where b.pipeline_id = $1 order by b.id desc limit 30) b`;

const query = `query($slug: ID!) { pipeline(slug: $slug) { builds(first: 30) { edges { node {
  uuid number state message commit branch env source { name } createdAt scheduledAt startedAt finishedAt
  createdBy { __typename ... on User { uuid name email } } metaData(first: 10) { edges { node { key value } } }
  pipeline { uuid slug name repository { url } }
  jobs(first: 5) { edges { node { __typename ... on JobTypeCommand { uuid label state command agentQueryRules exitStatus softFailed createdAt scheduledAt startedAt finishedAt } } } }
} } } } }`;

if (process.argv.includes('--floor'))
  await serveFloor(
    async (pool) => (await pool.query({ name: 'list', text: statement, values: [ids.pipeline] })).rows[0].text,
  );
else {
  await withDatabase(async (database) => {
    await seedOrganization(database.pool);
    await seedBuilds(database.pool, 20_000);
    const floor = await startFloor(fileURLToPath(import.meta.url), database);
    const product = await startProduct(database);
    try {
      const graphql = { method: 'POST', body: { query, variables: { slug: 'bench/app' } } };
      const rest = `${product.url}/v2/organizations/bench/pipelines/app/builds`;
      const everywhere = `${product.url}/v2/builds`;
      const { data, errors } = await callOk(`${product.url}/graphql`, graphql);
      if (errors) throw new Error(JSON.stringify(errors));
      const edges = data.pipeline.builds.edges;
      check(
        'GraphQL',
        edges.map(({ node }) => node),
        (node) => node.jobs.edges,
      );
      for (const url of [floor.url, rest, everywhere]) check(url, await callOk(url), (build) => build.jobs);
      await compare(
        'lists',
        {
          'floor: one statement, node:http': () => call(floor.url),
          'REST, builds of a pipeline': () => call(rest),
          'REST, builds everywhere': () => call(everywhere),
          'REST, without jobs and pipeline': () => call(`${rest}?exclude_jobs=true&exclude_pipeline=true`),
          GraphQL: () => call(`${product.url}/graphql`, graphql),
        },
        { ms: 2000 },
      );
    } finally {
      await product.stop();
      await floor.stop();
    }
  });
}

function check(what, builds, jobsOf) {
  const jobs = builds.flatMap(jobsOf).length;
  if (builds.length !== 30 || jobs !== 150)
    throw new Error(`${what}: ${builds.length} builds with ${jobs} jobs, not 30 with 150`);
}
