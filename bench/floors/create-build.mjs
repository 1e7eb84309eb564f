// The floor of creating a build: one prepared statement that raises the number and inserts build, steps, jobs and events. It asks
// for no token and checks no input and no rights.
import { randomUUID } from 'node:crypto';
import { serveFloor } from '../harness/product.mjs';
import { ids } from '../harness/organization.mjs';

const statement = `with counter as (update pipelines set next_build_number = next_build_number + 1 where id = $1 returning next_build_number - 1 as number),
  build as (insert into builds (id, organization_id, pipeline_id, number, state, message, commit, branch, source, creator_id, event_sequence, created_at, scheduled_at)
    select $2, $3, $1, number, 'scheduled', $4, 'HEAD', 'main', 'api', $5, 7, now(), now() from counter returning *),
  steps as (insert into steps (id, organization_id, build_id, type, label, position, definition, created_at)
    select s.id, $3, $2, 'command', 'Test ' || s.n, s.n, jsonb_build_object('type', 'command', 'label', 'Test ' || s.n, 'command', 'make test-' || s.n), now() from unnest($6::uuid[]) with ordinality as s(id, n)),
  jobs as (insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, label, command, cluster_id, cluster_queue_id, created_at, scheduled_at, runnable_at)
    select j.id, $3, $1, $2, ($6::uuid[])[j.n], 'command', j.n, 'scheduled', 'Test ' || j.n, 'make test-' || j.n, $8, $9, now(), now(), now() from unnest($7::uuid[]) with ordinality as j(id, n) returning *),
  events as (insert into events (id, organization_id, subject, subject_id, pipeline_id, build_id, type, to_state, actor_type, actor_id, sequence, created_at)
    select e.id, $3, 'job', $2, $1, $2, 'job.schedule', 'scheduled', 'user', $5, e.n, now() from unnest($10::uuid[]) with ordinality as e(id, n))
  select json_build_object('build', row_to_json(build), 'jobs', (select json_agg(row_to_json(jobs)) from jobs))::text as text from build`;
const uuids = (count) => Array.from({ length: count }, () => randomUUID());

await serveFloor(async (pool, url, { message }) => {
  const values = [
    ids.pipeline,
    randomUUID(),
    ids.organization,
    message,
    ids.user,
    uuids(5),
    uuids(5),
    ids.cluster,
    ids.queue,
    uuids(7),
  ];
  return (await pool.query({ name: 'create', text: statement, values })).rows[0].text;
});
