import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { limits } from '../../../src/domain/limits/limits.js';
import { registerArtifacts } from '../rows-of-readers.js';
import { expectStatus } from '../rows-of-writers.js';
import { acme, asAgent, type HeldJob, type Stage, uploadOf } from '../support/stage.js';
import { textOf } from '../support/texts.js';
import { atLimit, type Filler, inTurns, type Known } from './filler.js';
import { command, fullEnv } from './pipelines.js';

const jobsOfBuild = limits.jobsPerUpload - 1;
/** As many as fill a page with those of other pipelines. */
const builds = 8;

const job = {} as HeldJob & { slug: string; build: { id: string; number: number } };

const firstBuild: Filler = {
  kind: 'job',
  async fill(stage, known) {
    const slug = await stage.pipeline('Large', command);
    const labels = Array.from({ length: limits.pullRequestLabels }, (_, index) =>
      textOf(limits.labelLength, `${index}`),
    );
    const body = { env: fullEnv(), author: { name: textOf(255), email: textOf(255) }, pull_request_labels: labels };
    const build = await atLimit('a message', limits.messageBytes, (size) =>
      stage.rest('POST', `${acme}/pipelines/${slug}/builds`, {
        ...{ commit: 'c'.repeat(40), branch: 'main', pull_request_id: 7, pull_request_base_branch: 'main' },
        ...body,
        message: textOf(size),
      }),
    );
    Object.assign(job, await stage.takeJob(), { slug, build });
    Object.assign(known, { slug, number: String(build.number), build: build.id, job: job.id });
  },
};

/** Values that together are as large as they may be, in batches. */
const metaData: Filler = {
  kind: 'meta-data',
  async fill(stage) {
    const size = 100_000;
    for (let from = 0; from < limits.metaDataBytes / size; from += 40) {
      const count = Math.min(40, Math.floor(limits.metaDataBytes / (size + 20)) - from);
      const items = Array.from({ length: count }, (_, index) => ({ key: `key-${from + index}`, value: textOf(size) }));
      if (count > 0) expectStatus('meta-data', (await set(stage, items)).status, 200, 201, 204);
    }
    // Many small ones: as many as GraphQL shows at once.
    for (let from = 0; from < 4_000; from += 1_000) {
      const items = Array.from({ length: 1_000 }, (_, index) => ({ key: `small-${from + index}`, value: 'x' }));
      expectStatus('small meta-data', (await set(stage, items)).status, 200, 201, 204, 422);
    }
    const sum = await set(stage, [{ key: 'beyond', value: textOf(size) }]);
    expectStatus(`meta-data beyond its sum (${sum.text.slice(0, 200)})`, sum.status, 422);
    const { text, status } = await set(stage, [{ key: 'too-long', value: textOf(limits.metaDataValueBytes + 1) }]);
    expectStatus(`a value beyond its limit (${text.slice(0, 200)})`, status, 422);
  },
};

const set = (stage: Stage, items: object[]) =>
  stage.agent('POST', `/jobs/${job.id}/data/set-batch`, job.token, { items });

const annotations: Filler = {
  kind: 'annotations',
  async fill(stage, known) {
    const path = `${acme}/pipelines/${job.slug}/builds/${job.build.number}/annotations`;
    const annotation = await atLimit('an annotation', limits.annotationBodyBytes, (size) =>
      stage.rest('POST', path, { body: textOf(size, '# '), context: 'first' }),
    );
    known['annotation'] = annotation.id;
    await inTurns(14, (index) =>
      stage.made('POST', path, { body: textOf(limits.annotationBodyBytes - 1_000), context: `c${index}` }),
    );
    const beyond = { body: textOf(limits.annotationBodyBytes - 1_000), context: 'beyond' };
    const ofJob = `${acme}/jobs/${job.id}/annotations`;
    const { id } = await stage.made('POST', ofJob, { body: textOf(100_000), context: 'of-the-job' });
    known['job_annotation'] = id;
    expectStatus('annotations beyond their sum', (await stage.rest('POST', path, beyond)).status, 422);
  },
};

const stepUploads: Filler = {
  kind: 'step uploads',
  async fill(stage, known) {
    const size = limits.uploadKeptBytes - 300;
    // A `notify` and a definition of a step, each as large as an upload that is kept.
    for (let index = 0; index < 50; index += 1) {
      const upload = uploadOf({
        notify: [],
        steps: [{ wait: null, key: `w${index}`, if: 'false' }],
        note: textOf(size),
      });
      const { status, text } = await stage.agent('POST', `/jobs/${job.id}/pipelines`, job.token, upload);
      expectStatus(`an upload (${text.slice(0, 200)})`, status, 200, 201, 202, 422);
    }
    const { items } = await stage.made('GET', `${pathOf(known)}/step-uploads`);
    known['upload'] = items[0]?.uuid ?? '';
  },
};

const logs: Filler = {
  kind: 'logs',
  async fill(stage) {
    const chunk = Buffer.from(`${'\u001b[31mred\u001b[0m '.repeat(7)}\n`.repeat(1_000)).subarray(
      0,
      limits.logChunkAdvertisedBytes,
    );
    const packed = gzipSync(chunk);
    for (let sequence = 1; sequence <= 200; sequence += 1) {
      const query = `sequence=${sequence}&offset=${(sequence - 1) * chunk.length}&size=${chunk.length}`;
      const { headers } = asAgent(job.token);
      const sending = {
        headers: { ...headers, 'content-type': 'text/plain', 'content-encoding': 'gzip' },
        body: packed,
      };
      const { status } = await stage.client.send('POST', `/v3/jobs/${job.id}/chunks?${query}`, sending);
      expectStatus('a chunk', status, 201);
    }
    const times = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [String(index), '1']));
    await stage.agent('POST', `/jobs/${job.id}/header_times`, job.token, times);
  },
};

const artifacts: Filler = {
  kind: 'artifacts',
  async fill(stage, known) {
    await registerArtifacts(stage, job, 0, limits.artifactsPerJob - 1, 4_000);
    await uploadReport(stage, job);
    const [first] = await stage.made('GET', `${pathOf(known)}/artifacts?per_page=1`);
    known['artifact'] = first.id;
  },
};

const agents = { queue: 'queue-1' };

/** The last artifact is a page whose bytes are in the storage, so that it can be opened and packed. */
async function uploadReport(stage: Stage, { id, token }: HeldJob): Promise<void> {
  const bytes = '<!doctype html>';
  const report = {
    path: 'report.html',
    absolute_path: '/report.html',
    glob_path: '**/*',
    file_size: bytes.length,
    sha1sum: createHash('sha1').update(bytes).digest('hex'),
    content_type: 'text/html',
  };
  const body = { id: randomUUID(), artifacts: [report], upload_destination: '' };
  const { text } = await stage.agent('POST', `/jobs/${id}/artifacts`, token, body);
  const { upload_instructions: form, artifact_ids: made } = JSON.parse(text);
  const fields = new FormData();
  for (const [name, value] of Object.entries<string>(form.data))
    fields.set(name, value.replaceAll('${artifact:path}', report.path));
  fields.set(form.action.file_input, new Blob([bytes]), report.path);
  const { status } = await fetch(new URL(form.action.path, form.action.url), { method: 'POST', body: fields });
  expectStatus('the upload of a report', status, 204);
  const artifacts = made.map((each: string) => ({ id: each, state: 'finished' }));
  await stage.client.json('PUT', `/v3/jobs/${id}/artifacts`, asAgent(token, { artifacts }));
}

/** Builds of many jobs, whose texts together are as large as they may be. */
const manyJobs: Filler = {
  kind: 'jobs',
  async fill(stage, known) {
    // Of the text of a step each job has a share for its other columns.
    const command = textOf(Math.floor(limits.jobTextBytes / jobsOfBuild) - 1_000);
    const steps = [{ command, parallelism: jobsOfBuild, agents }];
    known['parallel'] = await stage.pipeline('Parallel', JSON.stringify({ steps }));
    // One after another: what matters is what they leave, not how many can be made at once.
    for (let index = 0; index < builds; index += 1) await stage.build('parallel', { message: `${index}` });
  },
};

const matrix: Filler = {
  kind: 'matrix',
  async fill(stage) {
    const a = Array.from({ length: limits.matrixElements }, (_, index) => textOf(limits.matrixValueBytes, `${index}`));
    const step = { command: textOf(200_000, 'x {{matrix.a}}'), agents, matrix: { setup: { a, b: ['1', '2'] } } };
    await stage.pipeline('Matrix', JSON.stringify({ steps: [step] }));
    for (let index = 0; index < 4; index += 1) await stage.build('matrix');
  },
};

const notify: Filler = {
  kind: 'notify',
  async fill(stage) {
    const message = textOf(4_000);
    const definition = (count: number) => {
      const entries = Array.from({ length: count }, (_, index) => ({ slack: { channels: [`#c${index}`], message } }));
      return JSON.stringify({ notify: entries, steps: [{ wait: null }] });
    };
    const beyond = { name: 'Notify', repository: 'git@example.com:a/b.git', configuration: definition(190) };
    expectStatus('more than its limit', (await stage.rest('POST', `${acme}/pipelines`, beyond)).status, 422);
    await stage.pipeline('Notify', definition(Math.floor(limits.notifyBytes / (message.length + 100))));
    await inTurns(builds, () => stage.build('notify'));
  },
};

/** Replies that are kept for idempotency keys, with as much meta-data as one request can bring. */
const idempotencyKeys: Filler = {
  kind: 'idempotency keys',
  async fill(stage) {
    const meta = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`k${index}`, textOf(100_000)]));
    const quiet = await stage.pipeline('Quiet', 'steps: [{ wait: null }]');
    const body = { ...head, meta_data: meta, env: fullEnv() };
    Object.assign(quietBuild, { path: `${acme}/pipelines/${quiet}/builds`, body });
    for (let key = 0; key < builds; key += 1) await postQuietBuild(stage, key);
  },
};

const head = { commit: 'HEAD', branch: 'main' };
/** The request for builds whose replies are kept for idempotency keys. */
const quietBuild = { path: '', body: {} };
const postQuietBuild = (stage: Stage, key: number) =>
  stage.rest('POST', quietBuild.path, quietBuild.body, { 'Idempotency-Key': `key-${key}` });

/** Sends requests with the idempotency keys of before again; returns the statuses. */
export async function replayBuilds(stage: Stage, from: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let key = 0; key < builds; key += 1) statuses.push((await postQuietBuild(stage, (key + from) % builds)).status);
  return statuses;
}

/** The first build's path. */
const pathOf = ({ slug, number }: Known) => `${acme}/pipelines/${slug}/builds/${number}`;

const finish: Filler = {
  kind: 'events',
  async fill(stage, known) {
    expectStatus('finish', (await stage.finish(job, '1')).status, 200);
    const { items } = await stage.made('GET', `${pathOf(known)}/events`);
    known['build_event'] = items[0].id;
    const audited = await stage.made('GET', `${acme}/audit_events`);
    // Events that GraphQL has no word for are not nodes of it.
    const events: { uuid: string; graphql_id: string | null }[] = audited.items ?? audited;
    known['event'] = events.find(({ graphql_id: id }) => id !== null)?.uuid ?? '';
  },
};

/** A search over as many commits as there may be. */
const culprits: Filler = {
  kind: 'culprits',
  async fill(stage, known) {
    const commitsOf = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(40, 'd'));
    const search = await atLimit('commits of a search', limits.culpritCommits - 1, (size) =>
      stage.rest('POST', `${pathOf(known)}/culprit-searches`, {
        good_commit: 'b'.repeat(40),
        commits: commitsOf(size),
      }),
    );
    known['search'] = search.id;
  },
};

export const buildFillers: readonly Filler[] = [
  firstBuild,
  metaData,
  annotations,
  stepUploads,
  logs,
  artifacts,
  manyJobs,
  matrix,
  notify,
  idempotencyKeys,
  finish,
  culprits,
];
