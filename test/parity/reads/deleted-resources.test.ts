import { sql } from 'kysely';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { artifactKey } from '../../../src/core/build-folder.js';
import { downloadLink } from '../../../src/resources/builds/artifacts/links.js';
import { badgeTokenColumns, newUrlToken, webhookTokenColumns } from '../../../src/resources/pipelines/url-token.js';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import { deletePipeline } from '../../../src/operations/pipelines/delete.js';
import { deleteSuite } from '../../../src/operations/suites/delete.js';
import { readArtifact } from '../../../src/operations/builds/artifacts/read.js';
import { receiveDelivery } from '../../../src/operations/integrations/webhook-deliveries/receive.js';
import { type AnyOperation, perform } from '../../../src/core/operation.js';
import { agentRoutes } from '../../../src/agent-api/routes.js';
import { readBadge } from '../../../src/operations/pipelines/badges/read.js';
import { routes } from '../../../src/rest/routes.js';
import { BothSurfaces } from '../../support/both-surfaces.js';
import type { PathValues } from '../../support/one-of-everything.js';
import { refusal } from '../../support/refusal.js';
import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import { populated } from './populated-world.js';
import { reads } from './table.js';

/**
 * An administrator, who sees everything, deletes a pipeline and a suite and sends every read while all of their rows
 * are still there: no query may find them, whichever way it goes.
 */
let surfaces: BothSurfaces;
let here: PathValues;
let words: string[];
let pipeline: { id: string; webhookToken: string; badgeToken: string };
let jobs: { running: string; scheduled: string };
let download: URL;
let session: string;
/** Routes of the agent protocol that answered otherwise than for a job that never was, before the deletion. */
let differing: string[];
let linksBefore: boolean[];

const rowsLeft = async () => {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from builds where pipeline_id = ${pipeline.id}) + (select count(*) from suite_runs where suite_id = ${here('')['suite']}))::int as count`.execute(
    surfaces.world.services.db,
  );
  return rows[0]?.count ?? 0;
};

beforeAll(async () => {
  surfaces = await BothSurfaces.open({ plan: 'enterprise' });
  const { world } = surfaces;
  const { db } = world.services;
  here = await populated(surfaces);
  const row = await db.selectFrom('pipelines').selectAll().where('slug', '=', 'app').executeTakeFirstOrThrow();
  pipeline = { id: row.id, webhookToken: newUrlToken(), badgeToken: newUrlToken() };
  await db
    .updateTable('pipelines')
    .set({
      ...webhookTokenColumns(world.services, pipeline.webhookToken),
      ...badgeTokenColumns(world.services, pipeline.badgeToken),
    })
    .where('id', '=', row.id)
    .execute();
  const [running, scheduled] = await db
    .selectFrom('jobs')
    .selectAll()
    .where('pipelineId', '=', row.id)
    .where('type', '=', 'command')
    .orderBy('position')
    .limit(2)
    .execute();
  if (!running || !scheduled) throw new Error('the pipeline of this test has two commands');
  jobs = { running: running.id, scheduled: scheduled.id };
  const artifact = await db
    .updateTable('artifacts')
    .set({ fileSize: 3, uploadDestination: null })
    .where('id', '=', here('')['artifact'] ?? '')
    .returningAll()
    .executeTakeFirstOrThrow();
  await world.services.storage.put(artifactKey(artifact), Buffer.from('abc'));
  download = new URL(downloadLink(world.system(), artifact, 600) ?? '');
  const connected = await ScriptedAgent.connected(agentApp(world), world.agentToken);
  session = connected.session;
  await connected
    .call('post', '/stacks/register', world.agentToken)
    .send({ key: 'k8s', type: 'kubernetes', queue_key: 'default', metadata: {} })
    .expect(201);
  const unfinished = [
    { id: running.id, state: 'running' as const, agentId: connected.id, startedAt: world.clock.now() },
    { id: scheduled.id, state: 'scheduled' as const, agentId: null, startedAt: null },
  ];
  const putBack = async () => {
    for (const { id, ...columns } of unfinished)
      await db
        .updateTable('jobs')
        .set({ ...columns, finishedAt: null, clusterQueueId: world.queues.default })
        .where('id', '=', id)
        .execute();
  };
  await putBack();
  const { rows } = await sql<{ id: string; kind: 'Pipeline' | 'Build' | 'Job' | 'Suite' | 'Run' }>`
    select id, 'Pipeline' as kind from pipelines where id = ${row.id} union all select id, 'Build' from builds where pipeline_id = ${row.id}
    union all select id, 'Job' from jobs where pipeline_id = ${row.id} union all select id, 'Suite' from suites where id = ${here('')['suite']}
    union all select id, 'Run' from suite_runs where suite_id = ${here('')['suite']}`.execute(db);
  words = rows.flatMap(({ id, kind }) => [id, encodeNodeId(kind, id)]);
  // Also replies that are kept in memory must not outlive it.
  for (let round = 0; round < 3; round += 1) await readEverything(() => undefined);
  linksBefore = await openLinks();
  differing = await differingRoutes();
  await world.perform(world.admin, deletePipeline, { pipeline: { id: row.id } });
  await world.perform(world.admin, deleteSuite, { suite: { id: here('')['suite'] } });
  // As those beyond the ones that end with the deletion itself: the purge ends them.
  await putBack();
}, 120_000);
afterAll(() => surfaces.close());

const gets = routes.filter(({ method }) => method === 'get');
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => here(path)[name] ?? `no ${name}`);
/** The record of who deleted what stays. */
const records = /audit|\/services\//;

/** A question to a source provider, which there is none of here. */
const asksOutside = /repository_connections\/\{connection\}\/repositories$/;

async function readEverything(note: (what: string, text: string) => void): Promise<void> {
  for (const { path } of gets) {
    if (records.test(path)) continue;
    const rest = await surfaces.rest(['get', `${fill(path)}${reads[path]?.query ?? ''}`]);
    // A row without its pipeline that a list has found makes the reply fail.
    const failed = rest.status >= 500 && !asksOutside.test(path);
    expect([path, failed ? rest.text : '']).toEqual([path, '']);
    if (rest.status < 400) note(`GET ${path}`, rest.text);
    const read = reads[path];
    if (!read) continue;
    const graphql = JSON.stringify(await surfaces.graphql(read.graphql(here(path))));
    expect([path, graphql]).not.toEqual([path, expect.stringMatching(/INTERNAL/)]);
    note(`GraphQL ${path}`, graphql);
  }
}

test('no read of REST or GraphQL finds anything of a deleted pipeline or suite whose rows are all still there', async () => {
  expect(await rowsLeft()).toBeGreaterThan(2);
  const finds: string[] = [];
  let answered = 0;
  await readEverything((what, text) => {
    answered += 1;
    finds.push(...words.filter((word) => text.includes(word)).map((word) => `${what}: ${word}`));
  });
  expect(finds).toEqual([]);
  expect(answered).toBeGreaterThan(60);
  for (const id of words) {
    const { data } = await surfaces.graphql(['query ($id: ID!) { node(id: $id) { id } }', { id }]);
    expect(data?.node ?? null).toBeNull();
  }
});

/** The routes that name a job or a build and whose reply is not that of one that never was. */
async function differingRoutes(): Promise<string[]> {
  const { world } = surfaces;
  const caller = new ScriptedAgent(agentApp(world), world.agentToken);
  const builds = await world.services.db
    .selectFrom('builds')
    .select('id')
    .where('pipelineId', '=', pipeline.id)
    .execute();
  const never = '00000000-0000-7000-8000-000000000000';
  const reply = async ({ method, path }: (typeof agentRoutes)[number], id: string) => {
    const address = path
      .replace(/:(job|build)\b/, id)
      .replace(':stack', 'k8s')
      .replace(/:\w+/, 'x');
    const token = path.startsWith('/stacks') ? world.agentToken : session;
    const call = caller.call(method, `${address}?query=*&key=KEY`, token);
    const { status, text } = await (method === 'get' ? call : call.send({ ...body, job: id, job_uuids: [id] }));
    return `${status} ${text.replaceAll(id, never)}`;
  };
  const differ: string[] = [];
  for (const route of agentRoutes) {
    const ids = route.path.includes(':build') ? builds.map(({ id }) => id) : Object.values(jobs);
    if (!/:(job|build)\b|job|notifications/.test(route.path)) continue;
    for (const id of ids)
      if ((await reply(route, id)) !== (await reply(route, never))) differ.push(`${route.method} ${route.path}`);
  }
  return differ;
}

/** Fields with which most routes get as far as their job. */
const body = { key: 'a', value: 'b', body: 'x', exit_status: '0', state: 'x', timeout_in_minutes: 1, audience: 'x' };

test('agents and stacks get the replies for a job that never was, and its queue counts and offers none', async () => {
  expect(differing.length).toBeGreaterThan(8);
  expect(await differingRoutes()).toEqual([]);
  const { world } = surfaces;
  const other = await ScriptedAgent.connected(agentApp(world), world.agentToken);
  const scheduled = await other.call('get', '/stacks/k8s/scheduled-jobs?queue_key=default', world.agentToken);
  const metrics = await other.call('get', '/metrics', world.agentToken);
  expect(words.filter((word) => scheduled.text.includes(word))).toEqual([]);
  expect(metrics.body.jobs.total).toBe(0);
  expect((await other.ping()).job ?? null).toBeNull();
});

/** Whether webhook URL, badge and a signed link to an artifact lead anywhere. */
async function openLinks(): Promise<boolean[]> {
  const { world } = surfaces;
  const attempts: [AnyOperation, object][] = [
    [
      receiveDelivery,
      {
        token: pipeline.webhookToken,
        sender: 'github',
        event: 'ping',
        deliveryId: 'late',
        headers: [],
        body: Buffer.from('{}'),
        payload: {},
        proof: null,
      },
    ],
    [readBadge, { token: pipeline.badgeToken }],
    [
      readArtifact,
      {
        id: download.pathname.split('/').at(-1),
        expires: Number(download.searchParams.get('expires')),
        signature: download.searchParams.get('signature'),
      },
    ],
  ];
  return Promise.all(
    attempts.map(async ([operation, input]) => {
      const outcome = await refusal(perform(operation, world.system(), input)).catch(() => null);
      return outcome?.code !== 'not_found';
    }),
  );
}

test('its webhook URL, badge and signed artifact links lead nowhere any more', async () => {
  expect(linksBefore).toEqual([true, true, true]);
  expect(await openLinks()).toEqual([false, false, false]);
});

test('background tasks leave what is hidden alone, but for the purge, after which no row is left', async () => {
  await runUntilIdle(surfaces.world.services);
  expect(await rowsLeft()).toBe(0);
  expect(await surfaces.world.services.db.selectFrom('deletions').select('id').execute()).toEqual([]);
}, 60_000);
