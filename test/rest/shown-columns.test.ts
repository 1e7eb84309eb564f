import { unshownColumns } from '../../src/entities/unshown-columns.js';
import { storedName } from '../../src/database/row-conversion.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { StatementGauge } from '../support/statement-gauge.js';
import { newSuite, result, upload } from '../support/suites.js';

let surfaces: BothSurfaces;
let run: string;
let suite: Awaited<ReturnType<typeof newSuite>>;
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  await surfaces.world.pipeline('steps: [{ command: "true" }]', { slug: 'app', name: 'App' });
  await surfaces.read([
    'post',
    '/organizations/acme/pipelines/app/builds',
    { commit: 'HEAD', branch: 'main', message: 'x' },
  ]);
  suite = await newSuite(surfaces, 'Large');
  const failure = { result: 'failed', failure_expanded: [{ expanded: ['x'.repeat(1_000)], backtrace: [] }] };
  run = (await upload(surfaces, suite.authorization, 'large', [result('a', failure)])).run_id;
  // Uploads are stored before they are read.
  delete surfaces.world.services.fragmentCache;
});
afterAll(() => surfaces.close());

/** Each build on /v2 shows its pipeline whole. */
const stepsOfPipelines = ['configuration', 'visual_steps'];

/** Columns that the statements of a piece of work return or read, among those that no list shows. */
async function unshownIn(work: () => Promise<unknown>, except: readonly string[] = []): Promise<string[]> {
  const { statements } = await StatementGauge.during(surfaces.world.services, work);
  expect(statements.length).toBeGreaterThan(0);
  const text = statements.map(({ sql }) => sql).join('\n');
  const whole = [...text.matchAll(/"(\w+)"\.\* from "builds"|select \* from "(builds|suite_executions)"/g)].map(
    ([all]) => all,
  );
  const names = Object.values(unshownColumns)
    .flat()
    .map(storedName)
    .filter((name) => !except.includes(name));
  return [...whole, ...names.filter((name) => new RegExp(`"${name}"`).test(text))];
}

test.each(['/builds', '/organizations/acme/builds', '/organizations/acme/pipelines/app/builds?per_page=100'])(
  'GET %s reads no column of builds that it does not show',
  async (path) => expect(await unshownIn(() => surfaces.read(['get', path]), stepsOfPipelines)).toEqual([]),
);

test('GraphQL lists of builds, and jobs with their builds, read no column of builds that they do not show', async () => {
  const pageInfo = 'message env pullRequest { id } meta: metaData(first: 1) { count }';
  const builds = `{ organization(slug: "acme") { pipelines(first: 5) { edges { node { builds(first: 5) { edges { node { ${pageInfo} } } }
    jobs(first: 5) { edges { node { ... on JobTypeCommand { build { message pullRequest { id } } } } } } } } } } }`;
  expect(await unshownIn(async () => expect((await surfaces.graphql([builds])).errors).toBeUndefined())).toEqual([]);
});

test('GraphQL lists of pipelines, and builds with their pipelines, read no steps that they do not show', async () => {
  const names = `{ organization(slug: "acme") { pipelines(first: 500, order: NAME) { count edges { node { name builds(first: 1) { edges { node { pipeline { name tags { label } } } } } } } } } }`;
  expect(await unshownIn(async () => expect((await surfaces.graphql([names])).errors).toBeUndefined())).toEqual([]);
  const steps = '{ organization(slug: "acme") { pipelines(first: 5) { edges { node { steps { yaml } } } } } }';
  const { data } = await surfaces.graphql([steps]);
  expect(data.organization.pipelines.edges[0].node.steps.yaml).toContain('steps:');
});

test('executions are read without the details of their failures, but where they are asked for', async () => {
  const path = `${suite.path}/runs/${run}/failed_executions`;
  expect(await unshownIn(() => surfaces.read(['get', path]))).toEqual([]);
  expect(await unshownIn(() => surfaces.read(['get', `${path}?include_failure_expanded=true`]))).toEqual([
    'failure_expanded',
  ]);
});

test('details of failures that are more than a reply may hold are refused before they are read', async () => {
  surfaces.world.services.limits.replyBytes = 500;
  const path = `${suite.path}/runs/${run}/failed_executions`;
  expect(await surfaces.rest(['get', `${path}?include_failure_expanded=true`])).toMatchObject({
    status: 413,
    body: {
      message:
        'One reply holds at most 500 bytes of details of failures; ask for fewer executions at a time, or without them',
    },
  });
  expect((await surfaces.rest(['get', path])).status).toBe(200);
  delete surfaces.world.services.limits.replyBytes;
});
