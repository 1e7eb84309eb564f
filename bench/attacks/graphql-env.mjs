// The environments of 800 jobs, and other fields of 4,000: as many as one GraphQL operation reaches within its points, again
// and again, by one connection and by 20 at once.
import { call } from '../harness/load.mjs';
import { ids } from '../harness/organization.mjs';

const queryOf = (
  builds,
  fields,
) => `{ organization(slug: "bench") { pipelines(first: 20) { edges { node { builds(first: ${builds}) { edges { node {
  jobs(first: 20) { edges { node { ... on JobTypeCommand { ${fields} } } } } } } } } } } } }`;
const environments = queryOf(2, 'env');
const jobs = queryOf(10, 'uuid state label command exitStatus createdAt log { size url }');

const attackBy =
  (query, connections) =>
  async ({ url, tally }, signal) => {
    const again = async () => {
      while (!signal.aborted) {
        const { status, text } = await call(`${url}/graphql`, { method: 'POST', body: { query } });
        tally(`${status}${/"code":"(\w+)"/.exec(text.slice(0, 10_000))?.[1] ?? ''}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, again));
  };

export const attacks = [
  { name: 'graphql-env-1', attack: attackBy(environments, 1) },
  { name: 'graphql-env-20', attack: attackBy(environments, 20) },
  { name: 'graphql-jobs-1', attack: attackBy(jobs, 1) },
  { name: 'graphql-jobs-20', attack: attackBy(jobs, 20) },
];

/** Writes 20 pipelines of 10 builds of 20 jobs each. */
export async function seedJobs(pool) {
  await pool.query(`insert into pipelines select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'slug', '0-attack-' || n, 'name', '0 attack ' || n,
      'webhook_token', 'w' || n, 'webhook_token_hash', 'w' || n, 'badge_token', 'b' || n, 'badge_token_hash', 'b' || n))).*
    from pipelines p, generate_series(1, 20) n where p.id = '${ids.pipeline}'`);
  const attacked = `(select * from pipelines where slug like '0-attack-%')`;
  await pool.query(`insert into builds (id, organization_id, pipeline_id, number, state, commit, branch, source, creator_id, created_at)
    select gen_random_uuid(), p.organization_id, p.id, n, 'passed', 'HEAD', 'main', 'api', '${ids.user}', now() from ${attacked} p, generate_series(1, 10) n`);
  await pool.query(`insert into steps (id, organization_id, build_id, type, label, position, definition, created_at)
    select gen_random_uuid(), b.organization_id, b.id, 'command', 'Step ' || n, n, '{"type": "command"}', now() from builds b, generate_series(1, 20) n`);
  await pool.query(`insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, passed, label, command, created_at)
    select gen_random_uuid(), s.organization_id, b.pipeline_id, b.id, s.id, 'command', s.position, 'finished', true, s.label, 'make test', now() from steps s join builds b on b.id = s.build_id`);
  await pool.query('analyze');
}
