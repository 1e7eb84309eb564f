import type { BuildRow } from '../../../src/entities/database.js';
import { expectGoldenKeys, expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

let rest: RestWorld;
beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline(
    'steps: [{ command: make, key: make, env: { LINES: "a\\nb" } }, { block: Go, key: gate }]',
    { slug: 'app' },
  );
  await rest.world.pipeline('steps: [{ block: Go }, { command: make }]', { slug: 'gated' });
});
afterAll(() => rest.close());

interface Job {
  id: string;
  type: string;
  state: string;
}

async function build(slug: string): Promise<{ url: string; jobs: Job[]; row: BuildRow }> {
  const { body } = await rest.post(`/organizations/acme/pipelines/${slug}/builds`, { commit: 'HEAD', branch: 'main' });
  return { url: body.url.replace('http://slipway.test/v2', ''), jobs: body.jobs, row: body };
}

/** A job that has failed, as far as its own row says. */
async function failed(): Promise<{ path: string; short: string; id: string }> {
  const { url, jobs } = await build('app');
  const id = jobs[0]?.id ?? '';
  await rest.world.services.db
    .updateTable('jobs')
    .set({ state: 'finished', passed: false, exitStatus: 1, finishedAt: rest.world.clock.now() })
    .where('id', '=', id)
    .execute();
  return { path: `${url}/jobs/${id}`, short: `/organizations/acme/jobs/${id}`, id };
}

test('a job is the same under its build and under its organization [api-v2:nnplbg]', async () => {
  const { path, short } = await failed();
  const [under, alone] = await Promise.all([rest.get(path), rest.get(short)]);
  expect([under.status, alone.text]).toEqual([200, under.text]);
  expectShape('ScriptJob', under.body);
  expectGoldenKeys('script', under.body);
  expect(under.body).toMatchObject({ state: 'failed', exit_status: 1, soft_failed: false });
  expect(under.body).not.toHaveProperty('group_key');
  expect((await rest.get(path.replace('/app/', '/gated/'))).body).toEqual({ message: 'Not Found' });
});

test('a failed job is retried once, and the old job refers to the new one, which is scheduled [api-v2:ejpngf,domnba,fcohpo,hebhil]', async () => {
  const { path, id } = await failed();
  const retried = await rest.put(`${path}/retry`);
  expect(retried.status).toBe(200);
  expect(retried.body).toMatchObject({
    state: 'scheduled',
    agent: null,
    runnable_at: null,
    started_at: null,
    finished_at: null,
    retries_count: 1,
    retry_source: { job_id: id, retry_type: 'manual' },
  });
  expect(retried.body.id).not.toBe(id);
  expect(Object.keys(retried.body)).toEqual(Object.keys((await rest.get(path)).body));
  expect((await rest.get(path)).body).toMatchObject({ retried: true, retried_in_job_id: retried.body.id });
  const again = await rest.put(`${path}/retry`);
  expect([again.status, typeof again.body.message]).toEqual([400, 'string']);
  const builds = `${path.split('/jobs/')[0]}`;
  const shown = async (query: string) =>
    (await rest.get(`${builds}${query}`)).body.jobs
      .filter((job: Job) => job.type === 'script')
      .map((job: Job) => job.id);
  expect(await shown('')).toEqual([retried.body.id]);
  expect(await shown('?include_retried_jobs=True')).toEqual(expect.arrayContaining([id, retried.body.id]));
});

test('a job in another state cannot be retried [api-v2:mnkkoj,edjgbi]', async () => {
  const { url, jobs } = await build('app');
  const reply = await rest.put(`${url}/jobs/${jobs[0]?.id}/retry`);
  expect([reply.status, reply.body]).toEqual([
    400,
    { message: 'Only failed, timed out or canceled jobs can be retried' },
  ]);
});

test('a block job is unblocked once, and an empty body and unknown parameters are accepted [api-v2:cgofka,onnkjj,hlgiih,fjalpk,pbdhmc]', async () => {
  const { url, jobs } = await build('gated');
  const path = `${url}/jobs/${jobs[0]?.id}`;
  const { body, status } = await rest.put(`${path}/unblock?Fields=map[a:b]&per_page=100`);
  expect(status).toBe(200);
  expectShape('ManualJob', body);
  expectGoldenKeys('manual', body);
  expect(body).toMatchObject({
    type: 'manual',
    state: 'unblocked',
    unblockable: false,
    unblocked_by: { id: rest.world.admin.id },
    unblocked_at: '2026-01-02T03:04:05.000Z',
    web_url: null,
  });
  const again = await rest.put(`${path}/unblock`);
  expect([again.status, again.body]).toEqual([422, { message: "The job's state must be blocked" }]);
  const script = await rest.put(`${url}/jobs/${jobs[1]?.id}/unblock`);
  expect([script.status, script.body]).toEqual([400, { message: 'This job type cannot be unblocked' }]);
});

test('an unblocker must be a member of the organization [api-v2:fjalpk,lacoac]', async () => {
  const { url, jobs } = await build('gated');
  const reply = await rest.put(`${url}/jobs/${jobs[0]?.id}/unblock`).send({ unblocker: rest.world.outsider.id });
  expect([reply.status, reply.body]).toEqual([
    422,
    { message: 'Unblocker is not a valid user id for this organization' },
  ]);
  const member = await rest
    .put(`${url}/jobs/${jobs[0]?.id}/unblock`)
    .send({ unblocker: rest.world.member.id, fields: {} });
  expect(member.body.unblocked_by.id).toBe(rest.world.member.id);
});

test("a job's environment is returned as JSON and as lines [api-v2:nbombn]", async () => {
  const { url, jobs } = await build('app');
  const path = `${url}/jobs/${jobs[0]?.id}/env`;
  const { body } = await rest.get(path);
  expectShape('JobEnv', body);
  expect(body.env).toMatchObject({ CI: 'true', LINES: 'a\nb' });
  const [suffix, accepted] = await Promise.all([rest.get(`${path}.txt`), rest.get(path).set('Accept', 'text/plain')]);
  expect(suffix.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(accepted.text).toBe(suffix.text);
  expect(suffix.text.trimEnd().split('\n')).toHaveLength(Object.keys(body.env).length);
  expect(suffix.text).toContain('CI=true\n');
  expect(suffix.text).toContain('LINES="a\\nb"\n');
});
