import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { leaveArtifact, things, write } from '../writes/changes.js';

const yaml = `
steps:
  - { command: make, key: make, artifact_paths: "dist/*" }
  - { command: test, key: test }
`;

let surfaces: BothSurfaces;
let build: Data;
let job: Data;
const acme = '/organizations/acme';
beforeAll(async () => {
  surfaces = await BothSurfaces.open({ teamsEnabled: true });
  await surfaces.world.pipeline(yaml, { slug: 'app' });
  await surfaces.read(write('build.create').rest(await things(surfaces)));
  ({
    build,
    jobs: [job],
  } = (await things(surfaces)) as Data);
  for (const path of ['dist/a.txt', 'dist/b.log', 'c.txt']) await leaveArtifact(surfaces, path);
  await surfaces.world.services.db
    .updateTable('artifacts')
    .set({ state: 'new', absolutePath: null, globPath: null })
    .where('path', '=', 'c.txt')
    .execute();
});
afterAll(() => surfaces.close());

const fields = 'id uuid path state mimeType size sha1sum sha256sum downloadURL reportURL expiresAt job { uuid }';
const artifact = (found: Data) => ({
  id: found.uuid,
  job_id: found.job.uuid,
  state: found.state,
  path: found.path,
  mime_type: found.mimeType,
  file_size: found.size,
  sha1sum: found.sha1sum,
});
/** Fields that only REST has: its own URLs, and parts derived from the path. */
const ofRest = ({
  url: _url,
  download_url: _download,
  dirname: _dirname,
  filename: _filename,
  glob_path: _glob,
  original_path: _original,
  ...reply
}: Data) => reply;

test('both surfaces show the same artifact by UUID and as a node', async () => {
  const [reply] = await surfaces.read(['get', `${acme}/pipelines/app/builds/1/artifacts?path=dist/a.txt`]);
  const one = await surfaces.select([`query ($id: ID!) { artifact(uuid: $id) { ${fields} } }`, { id: reply.id }]);
  expect(artifact(one.artifact)).toEqual(ofRest(reply));
  const { node } = await surfaces.select([
    `query ($id: ID!) { node(id: $id) { __typename ... on Artifact { ${fields} } } }`,
    { id: one.artifact.id },
  ]);
  expect(node).toEqual({ __typename: 'Artifact', ...one.artifact });
  expect(one.artifact).toMatchObject({
    sha256sum: 'b'.repeat(64),
    expiresAt: null,
    reportURL: null,
    downloadURL: expect.stringMatching(
      /^http:\/\/slipway\.test\/files\/artifacts\/.+expires=\d+&signature=[0-9a-f]{64}$/,
    ),
  });
});

test('both surfaces give the address of a report, and none for what is no page', async () => {
  const { id } = await leaveArtifact(surfaces, 'coverage/index.html');
  const ofReport = /^http:\/\/slipway\.test\/files\/reports\/[^/]+\/coverage\/index\.html$/;
  const { artifact: found } = await surfaces.select(['query ($id: ID!) { artifact(uuid: $id) { reportURL } }', { id }]);
  const { status, body } = await surfaces.rest(['get', `${acme}/jobs/${job.id}/artifacts/${id}/report`]);
  expect([status, found.reportURL, body.url]).toEqual([
    302,
    expect.stringMatching(ofReport),
    expect.stringMatching(ofReport),
  ]);
  await surfaces.world.services.db.deleteFrom('artifacts').where('id', '=', id).execute();
  const [other] = await surfaces.read(['get', `${acme}/pipelines/app/builds/1/artifacts?path=dist/a.txt`]);
  expect((await surfaces.rest(['get', `${acme}/jobs/${job.id}/artifacts/${other.id}/report`])).status).toBe(404);
});

test.each<[string, string, string]>([
  ['', '', ''],
  ['?state=finished', 'state: FINISHED', ''],
  ['?state=new', 'state: NEW', ''],
  ['?path=dist/*', 'path: "dist/*"', ''],
  ['?path=c.txt', 'path: "c.txt"', ''],
  ['?state=deleted', 'state: DELETED', ''],
])('both surfaces list the same artifacts of a build and of a job for the query "%s"', async (query, given) => {
  const brackets = given === '' ? '' : `(${given})`;
  const { artifacts, job: found } = await surfaces.select([
    `query ($build: ID!, $job: ID!) { artifacts(build: $build${given === '' ? '' : `, ${given}`}) { count edges { node { ${fields} } } } job(uuid: $job) { ... on JobTypeCommand { artifacts${brackets} { count edges { node { ${fields} } } } } } }`,
    { build: build.id, job: job.id },
  ]);
  const ofBuild = await surfaces.read(['get', `${acme}/pipelines/app/builds/1/artifacts${query}`]);
  const ofJob = await surfaces.read(['get', `${acme}/jobs/${job.id}/artifacts${query}`]);
  expect(artifacts.edges.map(({ node }: Data) => artifact(node))).toEqual(ofBuild.map(ofRest));
  expect(found.artifacts.edges.map(({ node }: Data) => artifact(node))).toEqual(ofJob.map(ofRest));
  expect([artifacts.count, found.artifacts.count]).toEqual([ofBuild.length, ofJob.length]);
  const byJob = await surfaces.select([
    `query ($job: ID!) { artifacts(job: $job${given === '' ? '' : `, ${given}`}, first: 1) { pageInfo { hasNextPage } nodes { uuid } } }`,
    { job: job.id },
  ]);
  expect(byJob.artifacts.nodes.map(({ uuid }: Data) => uuid)).toEqual(ofJob.slice(0, 1).map(({ id }: Data) => id));
  expect(byJob.artifacts.pageInfo.hasNextPage).toBe(ofJob.length > 1);
});

test('both surfaces list the same jobs of a build', async () => {
  const { build: found } = await surfaces.select([
    '{ build(slug: "acme/app/1") { jobs(first: 50, state: SCHEDULED, step: { key: "test" }) { edges { node { ... on JobTypeCommand { uuid } } } } } }',
  ]);
  const { items } = await surfaces.read(['get', `${acme}/pipelines/app/builds/1/jobs?state=scheduled&step_key=test`]);
  expect(items.map(({ id }: Data) => id)).toEqual(found.jobs.edges.map(({ node }: Data) => node.uuid));
});

test('artifacts are listed for a build or for a job, never for both', async () => {
  for (const given of ['', `(build: "${build.id}", job: "${job.id}")`]) {
    const { errors } = await surfaces.graphql([`{ artifacts${given} { count } }`]);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  }
});

describe('artifacts of a hidden pipeline', () => {
  test.each(['outsider', 'member'] as const)(
    'artifacts are hidden from a person who may not see the pipeline (%s)',
    async (who) => {
      const person = surfaces.world[who];
      const [{ id }] = await surfaces.read(['get', `${acme}/jobs/${job.id}/artifacts`]);
      const data = await surfaces.select(
        [
          `query ($id: ID!, $build: ID!) { artifact(uuid: $id) { uuid } artifacts(build: $build) { count } }`,
          { id, build: build.id },
        ],
        person,
      );
      expect(data).toEqual({ artifact: null, artifacts: null });
      expect((await surfaces.rest(['get', `${acme}/jobs/${job.id}/artifacts/${id}`], person)).status).toBe(404);
    },
  );

  test('artifacts are refused on both surfaces to a token without the scope', async () => {
    const { admin } = surfaces.world;
    const person = await surfaces.world.personWithToken(admin.id, admin.email, {
      scopes: ['read_builds', 'read_pipelines'],
    });
    const { data, errors } = await surfaces.graphql(
      [`query ($id: ID!) { job(uuid: $id) { ... on JobTypeCommand { uuid artifacts { count } } } }`, { id: job.id }],
      person,
    );
    expect([data.job, errors?.[0]?.extensions.code]).toEqual([{ uuid: job.id, artifacts: null }, 'FORBIDDEN']);
    expect((await surfaces.rest(['get', `${acme}/jobs/${job.id}/artifacts`], person)).status).toBe(403);
  });
});

test('artifactDelete returns the artifact in state deleted and its id', async () => {
  const left = await leaveArtifact(surfaces, 'delete.txt');
  const { artifactDelete: payload } = await surfaces.select([
    'mutation ($id: ID!) { artifactDelete(input: { id: $id, clientMutationId: "m" }) { clientMutationId deletedArtifactId artifact { id state } } }',
    { id: left.id },
  ]);
  expect(payload).toEqual({
    clientMutationId: 'm',
    deletedArtifactId: payload.artifact.id,
    artifact: { id: expect.any(String), state: 'deleted' },
  });
});

test('both surfaces show the result of retrying and reprioritizing a job', async () => {
  const { world } = surfaces;
  await world.services.db
    .updateTable('jobs')
    .set({ state: 'timed_out', startedAt: world.clock.now(), finishedAt: world.clock.now() })
    .where('id', '=', job.id)
    .execute();
  const retry =
    'mutation ($id: ID!) { buildRetryFailedJobs(input: { id: $id, states: [TIMED_OUT, FAILED] }) { retriedJobsCount build { uuid } } }';
  expect((await surfaces.select([retry, { id: build.id }])).buildRetryFailedJobs).toEqual({
    retriedJobsCount: 1,
    build: { uuid: build.id },
  });
  const { jobs } = await things(surfaces);
  const [next] = jobs.filter((each) => each.state === 'scheduled');
  const { jobTypeCommandReprioritize: done } = await surfaces.select([
    'mutation ($id: ID!) { jobTypeCommandReprioritize(input: { id: $id, priority: 11 }) { jobTypeCommand { priority { number } events(last: 1) { edges { node { type } } } } } }',
    { id: next.id },
  ]);
  expect(done.jobTypeCommand).toEqual({
    priority: { number: 11 },
    events: { edges: [{ node: { type: 'REPRIORITIZED' } }] },
  });
});

test('an artifact expires by the age of its build, unless it is pinned', async () => {
  const { services } = surfaces.world;
  const at = '2026-05-01T00:00:00.000Z';
  const change = (table: 'builds' | 'pipelines' | 'organizations', set: object) =>
    services.db
      .updateTable(table)
      .set(set as never)
      .execute();
  const expiries = async () => {
    const { artifacts } = await surfaces.select([
      'query ($build: ID!) { artifacts(build: $build) { nodes { path expiresAt } } }',
      { build: build.id },
    ]);
    return Object.fromEntries(artifacts.nodes.map(({ path, expiresAt }: Data) => [path, expiresAt]));
  };
  const none = { 'dist/a.txt': null, 'dist/b.log': null, 'c.txt': null, 'delete.txt': null };
  await change('organizations', { retention: { artifacts: { days: 30 } } });
  expect(await expiries()).toEqual(none);
  await change('builds', { state: 'passed', finishedAt: new Date(at) });
  // What was never stored does not expire.
  const all = (time: string) => ({ 'dist/a.txt': time, 'dist/b.log': time, 'c.txt': null, 'delete.txt': null });
  expect(await expiries()).toEqual(all('2026-05-31T00:00:00.000Z'));
  await change('pipelines', { retention: { artifacts: { days: 7 }, builds: { days: 5 } } });
  expect(await expiries()).toEqual(all('2026-05-06T00:00:00.000Z'));
  await change('pipelines', { retention: { artifacts: { count: 7 } } });
  expect(await expiries()).toEqual(none);
  await change('pipelines', { retention: null });
  await change('builds', { pinnedAt: new Date(at) });
  expect(await expiries()).toEqual(none);
});
