import { sql } from 'kysely';
import type { World } from './world.js';

/**
 * Pipelines `bulk-1`, `bulk-2` … with builds of the same number of command jobs each, written without the operations:
 * thousands take a second.
 */
export async function manyJobs(
  world: World,
  { pipelines, builds, jobs }: { pipelines: number; builds: number; jobs: number },
): Promise<void> {
  const { db } = world.services;
  const { id: template } = await world.pipeline('steps: [{ command: "true" }]', { slug: 'bulk-0', name: 'Bulk' });
  const organization = world.organization.id;
  await sql`insert into pipelines select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'slug', 'bulk-' || n, 'name', 'Bulk ' || n, 'webhook_token_hash', 'w' || n, 'badge_token_hash', 'b' || n))).*
    from pipelines p, generate_series(1, ${pipelines}::int) n where p.id = ${template}`.execute(db);
  await sql`delete from pipelines where id = ${template}`.execute(db);
  await sql`insert into builds (id, organization_id, pipeline_id, number, state, message, commit, branch, source, creator_id, created_at)
    select gen_random_uuid(), ${organization}, p.id, n, 'passed', 'Change', 'HEAD', 'main', 'api', ${world.admin.id}, now() from pipelines p, generate_series(1, ${builds}::int) n where p.slug like 'bulk-%'`.execute(
    db,
  );
  await sql`insert into steps (id, organization_id, build_id, type, label, position, definition, created_at)
    select gen_random_uuid(), b.organization_id, b.id, 'command', 'Step ' || n, n, '{"type": "command", "image": "node:20"}', now() from builds b, generate_series(1, ${jobs}::int) n`.execute(
    db,
  );
  await sql`insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, passed, label, command, cluster_id, cluster_queue_id, created_at)
    select gen_random_uuid(), s.organization_id, b.pipeline_id, b.id, s.id, 'command', s.position, 'finished', true, s.label, 'true', ${world.clusterId}, ${world.queues.default}, now() from steps s join builds b on b.id = s.build_id`.execute(
    db,
  );
  await sql`insert into log_usage (job_id, organization_id, entries, bytes) select id, organization_id, 2, 30 from jobs`.execute(
    db,
  );
  await sql`insert into log_chunks (job_id, organization_id, sequence, start_offset, size, stored_key, stored_size)
    select id, organization_id, n, (n - 1) * 10, 15, 'k' || n, 1 from jobs, generate_series(1, 2) n`.execute(db);
}
