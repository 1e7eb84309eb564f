import { runUntilIdle } from '../../support/run-until-idle.js';
import { BothSurfaces } from '../../support/both-surfaces.js';
import { clusterThings, type ClusterThings, clusterWrite } from './cluster-writes.js';

let surfaces: BothSurfaces;
let at: ClusterThings;
let clusterPath: string;
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  const { world } = surfaces;
  await world.pipeline('steps: [{ command: a }]');
  for (const [operation, body] of [
    ['cluster.create', { name: 'Furnished' }],
    ['agent-token.create', { description: 'd' }],
    ['secret.create', { key: 'KEY', value: 'v' }],
    ['cluster-maintainer.create', { user: world.member.id }],
    ['pipeline-schedule.create', { cronline: '*/10 * * * *', message: 'm' }],
  ] as const)
    await surfaces.read(clusterWrite(operation).rest(await clusterThings(surfaces), body));
  at = await clusterThings(surfaces);
  clusterPath = `/organizations/acme/clusters/${at.cluster.id}`;
});
afterAll(() => surfaces.close());

test("both surfaces agree on a schedule's permissions and builds", async () => {
  const slug = `acme/${at.pipeline.slug}/${at.schedule.id}`;
  surfaces.world.clock.advance(600);
  await runUntilIdle(surfaces.world.services);
  const { pipelineSchedule } = await surfaces.select([
    `query ($slug: ID!) { pipelineSchedule(slug: $slug) { permissions { pipelineScheduleUpdate { allowed } pipelineScheduleDelete { allowed } } builds(first: 5) { count edges { node { message source { name ... on BuildSourceSchedule { pipelineSchedule { uuid } } } createdBy { __typename } } } } } }`,
    { slug },
  ]);
  expect(pipelineSchedule).toEqual({
    permissions: { pipelineScheduleUpdate: { allowed: true }, pipelineScheduleDelete: { allowed: true } },
    builds: {
      count: 1,
      edges: [
        {
          node: {
            message: 'm',
            source: { name: 'Schedule', pipelineSchedule: { uuid: at.schedule.id } },
            createdBy: null,
          },
        },
      ],
    },
  });
});

test('every resource is found by its node id, and is null to strangers', async () => {
  const ids: string[] = [];
  for (const path of [
    `${clusterPath}/tokens`,
    `${clusterPath}/secrets`,
    `/organizations/acme/pipelines/${at.pipeline.slug}/schedules`,
  ])
    for (const { graphql_id: id } of await surfaces.read(['get', path])) ids.push(id);
  ids.push(Buffer.from(`ClusterMaintainer---${at.maintainer.id}`).toString('base64'));
  for (const id of ids) {
    expect((await surfaces.select(['query ($id: ID!) { node(id: $id) { id } }', { id }])).node).toEqual({ id });
    expect(
      (await surfaces.select(['query ($id: ID!) { node(id: $id) { id } }', { id }], surfaces.world.outsider)).node,
    ).toBeNull();
  }
});
