import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { callers, expectStatus, orTooMuch, type Row } from './rows-of-writers.js';
import { SlowReader } from './support/slow-reader.js';
import { acme, asAgent, atOnce, type HeldJob, type Stage, uploadOf } from './support/stage.js';
import { textOf } from './support/texts.js';

const suites = '/analytics/organizations/acme/suites';

/** A failed test whose backtrace is of as many lines as are kept. */
const failureOf = (index: number, lines: number, length: number) => ({
  scope: 'a',
  name: `test ${index}`,
  result: 'failed',
  history: { section: 'top', start_at: 1, end_at: 2, duration: 1 },
  failure_reason: 'no',
  failure_expanded: [{ expanded: Array.from({ length: lines }, () => textOf(length)), backtrace: ['a.rb:1'] }],
});

/** Sends gzip uploads of failures to a run, each 29 MB once it is decompressed, until there are so many. */
export async function uploadFailures(stage: Stage, name: string, uploads: number): Promise<{ path: string }> {
  const body = { name, default_branch: 'main', show_api_token: true };
  const { slug, api_token: token } = await stage.made('POST', suites, body);
  const data = Array.from({ length: 9 }, (_, index) => failureOf(index, 200, 16_000));
  const upload = gzipSync(JSON.stringify({ format: 'json', run_env: { key: 'large' }, data }));
  stage.notes['upload_bytes'] = upload.length;
  const statuses: Record<string, number> = {};
  for (let index = 0; index < uploads; index += 1) {
    const headers = { authorization: `Token token="${token}"`, 'content-encoding': 'gzip' };
    const { status, text } = await stage.client.send('POST', '/v1/uploads', { headers, body: upload });
    expectStatus(`an upload (${text.slice(0, 200)})`, status, 202, 413, 422);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  stage.notes['uploads'] = statuses;
  const path = `${suites}/${slug}/runs`;
  const [run] = (await stage.made('GET', path)) as { id: string }[];
  return { path: `${path}/${run?.id}` };
}

const failedExecutions: Row = {
  name: 'twenty gzip uploads of 29 MB of failures are read as failed executions, with and without what failed',
  async run(stage) {
    const { path } = await uploadFailures(stage, 'RSpec', 20);
    for (const query of ['?per_page=100', '?per_page=100&include_failure_expanded=true']) {
      const replies = await atOnce(callers, () => stage.rest('GET', `${path}/failed_executions${query}`));
      for (const { status } of replies)
        expectStatus('failed executions', status, ...(query.includes('&') ? orTooMuch : [200]));
    }
  },
};

const sha1sum = 'a'.repeat(40);

/** Registers so many artifacts whose paths are of so many characters. */
export async function registerArtifacts(stage: Stage, job: HeldJob, from: number, count: number, length: number) {
  const perRequest = 30;
  for (let first = from; first < from + count; first += perRequest) {
    const artifacts = Array.from({ length: Math.min(perRequest, from + count - first) }, (_, index) => ({
      path: textOf(length, `${first + index}/`),
      absolute_path: textOf(length, `/${first + index}/`),
      glob_path: textOf(length, '**/'),
      file_size: 1,
      sha1sum,
      content_type: 'text/plain',
      // Artifacts in a storage of the agent's own need no bytes here.
      url: textOf(2_000, `https://files.example.com/${first + index}/`),
      upload_destination: textOf(2_000, 's3://bucket/'),
    }));
    const body = { id: randomUUID(), artifacts, upload_destination: 's3://bucket/', multipart_supported: true };
    const reply = await stage.agent('POST', `/jobs/${job.id}/artifacts`, job.token, body);
    expectStatus(`artifacts from ${first} on (${reply.text.slice(0, 200)})`, reply.status, 201);
    const states = JSON.parse(reply.text).artifact_ids.map((id: string) => ({ id, state: 'finished' }));
    await stage.client.json('PUT', `/v3/jobs/${job.id}/artifacts`, asAgent(job.token, { artifacts: states }));
  }
}

const artifactSearch: Row = {
  name: 'agents search 10,000 artifacts with long paths, four at once',
  async run(stage) {
    const slug = await stage.pipeline('artifacts', 'steps: [{ command: "true", parallelism: 2 }]');
    const build = await stage.build(slug);
    const jobs = [await stage.takeJob(), await stage.takeJob()];
    // Two jobs, because a job has at most 5,000.
    await Promise.all(jobs.map((job, index) => registerArtifacts(stage, job, index * 5_000, 5_000, 4_000)));
    const search = `/v3/builds/${build.id}/artifacts/search?query=*&state=finished`;
    const [job] = jobs;
    const replies = await atOnce(callers, () => stage.client.send('GET', search, asAgent(job?.token ?? '')));
    for (const { status } of replies) expectStatus('an artifact search', status, ...orTooMuch);
  },
};

const replays: Row = {
  name: 'a large reply is asked for again and again by its idempotency key',
  async run(stage) {
    const job = await stage.jobOf('large');
    await stage.largest('command', [330_000, 32_000, 16_000, 4_000], (size) =>
      stage.agent('POST', `/jobs/${job.id}/pipelines`, job.token, {
        ...uploadOf({ steps: [{ command: textOf(size), parallelism: 499 }] }),
      }),
    );
    const path = `${acme}/pipelines/${job.slug}/builds/${job.build.number}`;
    // The reply is the build with all of its jobs.
    const cancel = () => stage.rest('PUT', `${path}/cancel`, undefined, { 'Idempotency-Key': 'once' });
    expectStatus('cancel', (await cancel()).status, 200, 413);
    const replies = await atOnce(callers, cancel);
    for (const { status } of replies) expectStatus('a replay', status, 200, 303, 409, 413, 422, 429);
  },
};

const slowReaders: Row = {
  name: 'thirty readers of a large reply take a few bytes at a time, while others are served',
  async run(stage) {
    const slug = await stage.pipeline('slow', `steps: [{ command: "true" }] # ${textOf(900_000)}`);
    for (let index = 0; index < 40; index += 1)
      await stage.pipeline(`slow ${index}`, `steps: [{ command: "true" }] # ${textOf(900_000)}`);
    const path = `/v2${acme}/pipelines?per_page=40`;
    const readers: SlowReader[] = [];
    try {
      for (let index = 0; index < 30; index += 1) {
        readers.push(SlowReader.open(stage.client.url, path));
        await sleep(20);
      }
      const until = Date.now() + 10_000;
      let beside = 0;
      for (; Date.now() < until; beside += 1) {
        expectStatus('a read beside', (await stage.rest('GET', `${acme}/pipelines/${slug}`)).status, 200);
        await sleep(200);
      }
      // Behind the large replies each waited for seconds.
      if (beside < leastReadsBeside) throw new Error(`only ${beside} reads beside were served in ten seconds`);
      stage.notes['readers_served'] = readers.filter(({ statusLine }) => statusLine.includes('200')).length;
      stage.notes['readers_refused'] = readers.filter(({ statusLine }) => /4\d\d/.test(statusLine)).length;
    } finally {
      for (const reader of readers) reader.close();
    }
  },
};

/** A fifth of those that an idle machine serves. */
const leastReadsBeside = 8;

const graphql: Row = {
  name: 'GraphQL reads the environments of 500 jobs and twenty aliases of their commands',
  async run(stage) {
    const text = textOf(250);
    const env = Object.fromEntries(Array.from({ length: 990 }, (_, index) => [`V${index}`, text]));
    const slug = await stage.pipeline('graphql', `steps: [{ command: "${textOf(32_000)}", parallelism: 500 }]`);
    await stage.build(slug, { env });
    const build = `build(slug: "acme/${slug}/1")`;
    const jobs = (fields: string) =>
      `{ ${build} { jobs(first: 500) { edges { node { ... on JobTypeCommand { ${fields} } } } } } }`;
    const commands = Array.from({ length: 20 }, (_, index) => `c${index}: command`).join(' ');
    for (const query of [jobs('env'), jobs(commands)]) {
      const replies = await atOnce(callers, () => stage.graphql(query));
      for (const { status } of replies) expectStatus('a GraphQL operation', status, ...orTooMuch);
    }
  },
};

export const rowsOfReaders: readonly Row[] = [failedExecutions, artifactSearch, replays, slowReaders, graphql];
