import { sql } from 'kysely';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import type { Scope } from '../../../src/domain/organizations/scopes.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { routes } from '../../../src/rest/routes.js';
import { BothSurfaces } from '../../support/both-surfaces.js';
import type { PathValues } from '../../support/one-of-everything.js';
import type { Person } from '../../support/world.js';
import { populated } from './populated-world.js';
import { reads } from './table.js';

/**
 * A person who may see only the pipeline `app` sends every read. All other pipelines, their builds and jobs are hidden,
 * and builds of `app` refer to them in every way that a row can.
 */
let surfaces: BothSurfaces;
let here: PathValues;
let hidden: string[];
const readers: Record<string, Person> = {};

beforeAll(async () => {
  surfaces = await BothSurfaces.open({ plan: 'enterprise' });
  const { world } = surfaces;
  const { db } = world.services;
  here = await populated(surfaces);
  const app = await db.selectFrom('pipelines').selectAll().where('slug', '=', 'app').executeTakeFirstOrThrow();
  const others = await db.selectFrom('pipelines').selectAll().where('id', '!=', app.id).execute();
  // Configurations may name any pipeline; a name that no configuration contains can only come from a reference.
  for (const [index, { id }] of others.entries())
    await db
      .updateTable('pipelines')
      .set({ slug: `hidden-slug-${index}`, name: `Hidden name ${index}`, visibility: 'private' })
      .where('id', '=', id)
      .execute();
  const { build } = await world.perform(world.admin, createBuild, {
    pipeline: { id: others[0]?.id },
    commit: 'HEAD',
    branch: 'hidden-branch',
    message: 'Hidden message',
  });
  const job = await db.selectFrom('jobs').selectAll().where('buildId', '=', build.id).executeTakeFirstOrThrow();
  await db.updateTable('builds').set({ triggeredFromJobId: job.id }).where('pipelineId', '=', app.id).execute();
  await db
    .updateTable('jobs')
    .set({ triggeredBuildId: build.id })
    .where('pipelineId', '=', app.id)
    .where('type', '=', 'trigger')
    .execute();
  await db
    .updateTable('suite_runs')
    .set({ buildId: build.id, sourceUrl: `http://slipway.test/acme/hidden-slug-0/builds/${build.number}/${build.id}` })
    .execute();
  await db
    .updateTable('jobs')
    .set({ state: 'running', agentId: here('')['agent'] ?? '' })
    .where('id', '=', job.id)
    .execute();
  await db
    .updateTable('jobs')
    .set({ state: 'finished' })
    .where('pipelineId', '=', app.id)
    .where('state', 'in', ['assigned', 'accepted', 'running'])
    .execute();
  const { rows } = await sql<{ id: string; kind: 'Pipeline' | 'Build' | 'Job' }>`
    select id, 'Pipeline' as kind from pipelines where id <> ${app.id} union all select id, 'Build' from builds where pipeline_id <> ${app.id} union all select id, 'Job' from jobs where pipeline_id <> ${app.id}`.execute(
    db,
  );
  hidden = [...rows.flatMap(({ id, kind }) => [id, encodeNodeId(kind, id)]), 'hidden-slug-', 'Hidden name'];
  const team = await world.insert('teams', {
    organizationId: world.organization.id,
    slug: 'one-pipeline',
    name: 'One pipeline',
  });
  await world.insert('team_pipelines', {
    organizationId: world.organization.id,
    teamId: team,
    pipelineId: app.id,
    accessLevel: 'read_only',
  });
  const member = async (scopes?: readonly Scope[]) => {
    const person = await world.person({ organizationId: world.organization.id, ...(scopes ? { scopes } : {}) });
    await world.insert('team_members', {
      organizationId: world.organization.id,
      teamId: team,
      userId: person.id,
      role: 'member',
    });
    return person;
  };
  readers['every scope'] = await member();
  readers['read_builds'] = await member(['read_builds']);
  readers['read_agents, read_suites and read_job_env'] = await member(['read_agents', 'read_suites', 'read_job_env']);
}, 120_000);
afterAll(() => surfaces.close());

const gets = routes.filter(({ method }) => method === 'get');
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => here(path)[name] ?? `no ${name}`);
const address = (path: string) => `${fill(path)}${reads[path]?.query ?? ''}`;
const named = (text: string) => hidden.filter((word) => text.includes(word));

/** Has somebody who sees everything read it, so that its parts are in memory when others ask. */
let readByAdministrator: Promise<void> | undefined;
async function readEverything(): Promise<void> {
  for (const { path } of gets) await surfaces.rest(['get', address(path)]);
}

test.each(['every scope', 'read_builds', 'read_agents, read_suites and read_job_env'])(
  'a member who sees one pipeline, with a token of %s, gets no reply naming resources of another pipeline',
  async (scopes) => {
    const reader = readers[scopes];
    const told: string[] = [];
    let answered = 0;
    await (readByAdministrator ??= readEverything());
    for (const { path } of gets) {
      const rest = await surfaces.rest(['get', address(path)], reader);
      if (rest.status === 200) answered += 1;
      told.push(...named(rest.text).map((word) => `GET ${path}: ${word}`));
      const read = reads[path];
      if (!read) continue;
      const graphql = await surfaces.graphql(read.graphql(here(path)), reader);
      told.push(...named(JSON.stringify(graphql)).map((word) => `GraphQL ${path}: ${word}`));
    }
    expect(told).toEqual([]);
    expect(answered).toBeGreaterThan(scopes === 'every scope' ? 40 : 4);
  },
  60_000,
);

test('an administrator sees the hidden resources in the same replies', async () => {
  const build = await surfaces.rest(['get', fill('/organizations/{org}/pipelines/{slug}/builds/{number}')]);
  expect(build.body.triggered_from.build_pipeline_slug).toMatch(/^hidden-slug-/);
  expect(named((await surfaces.rest(['get', fill('/organizations/{org}/agents/{agent}')])).text)).not.toEqual([]);
});

test('a token sees the references of a job or a team only with the scope of the referenced resource', async () => {
  const agents = readers['read_agents, read_suites and read_job_env'];
  const { errors } = await surfaces.graphql(
    [
      'query ($id: ID!) { suite: node(id: $id) { ... on Agent { job { ... on JobTypeCommand { build { env } pipeline { slug } } } } } }',
      { id: encodeNodeId('Agent', here('')['agent'] ?? '') },
    ],
    agents,
  );
  expect((errors ?? []).every(({ extensions }) => extensions.code === 'FORBIDDEN')).toBe(true);
});
