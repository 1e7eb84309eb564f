import { setTimeout as sleep } from 'node:timers/promises';
import { Sink } from './support/sink.js';
import { acme, atOnce, type HeldJob, type Stage, uploadOf } from './support/stage.js';
import { aliasesOf, notifyOf, parallelOf, textOf } from './support/texts.js';

/** What a caller can do to a server, and what it must answer. `run` throws where the answer is wrong. */
export interface Row {
  name: string;
  run(stage: Stage): Promise<void>;
}

const callers = 4;

export function expectStatus(what: string, status: number, ...allowed: number[]): void {
  if (!allowed.includes(status)) throw new Error(`${what} was answered ${status}, not ${allowed.join(' or ')}`);
}

/** Refusals that are clear answers to a read of too much. */
export const orTooMuch = [200, 413, 422, 429];

/** Sets meta-data in batches until so many values are set or the server refuses more; returns how many it took. */
export async function setMetaData(stage: Stage, job: HeldJob, values: number): Promise<number> {
  const batch = 60;
  for (let from = 0; from < values; from += batch) {
    const items = Array.from({ length: Math.min(batch, values - from) }, (_, index) => ({
      key: `key-${from + index}`,
      value: textOf(100_000, `${from + index} `),
    }));
    const { status, text } = await stage.agent('POST', `/jobs/${job.id}/data/set-batch`, job.token, { items });
    if (status >= 300) {
      expectStatus('meta-data beyond its sum', status, 413, 422);
      stage.notes['meta_data_refusal'] ??= text.slice(0, 300);
      return from;
    }
  }
  return values;
}

export async function addServices(stage: Stage, url: string): Promise<void> {
  for (let index = 0; index < 15; index += 1)
    await stage.made('POST', `${acme}/services`, { description: `hook ${index}`, settings: { url } });
}

const finishBesideServices: Row = {
  name: 'a job with 1,000 meta-data values of 100 kB and 15 webhook services finishes, its events are delivered or said to be too large, and the server starts again',
  async run(stage) {
    const sink = await Sink.open();
    try {
      await addServices(stage, sink.url);
      const job = await stage.jobOf('deploy');
      stage.notes['values'] = await setMetaData(stage, job, 1_000);
      expectStatus('finish', (await stage.finish(job)).status, 200);
      await untilDelivered(stage, sink, 20_000);
      await stage.restart();
      await untilDelivered(stage, sink, 10_000);
      stage.notes['delivered'] = Object.fromEntries(sink.events);
      stage.notes['delivered_bytes'] = sink.bytes;
      expectStatus('a read after the start', (await stage.rest('GET', `${acme}/services`)).status, 200);
    } finally {
      await sink.close();
    }
  },
};

/** Waits until each service has got the end of the build, the server has died, or the time is over. */
async function untilDelivered(stage: Stage, sink: Sink, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && (sink.events.get('build.finished') ?? 0) < 15) {
    if (stage.server.death !== null) throw new Error(`the server died: ${stage.server.death}`);
    await sleep(100);
  }
}

const endlessMetaData: Row = {
  name: 'a job that sets meta-data for as long as the server takes it finishes with 200',
  async run(stage) {
    // A receiver that never answers: what matters is that the event can be stored.
    await stage.made('POST', `${acme}/services`, { description: 'hook', settings: { url: 'http://127.0.0.1:9/hook' } });
    const job = await stage.jobOf('deploy');
    stage.notes['values'] = await setMetaData(stage, job, 6_000);
    expectStatus('finish', (await stage.finish(job)).status, 200);
  },
};

const buildsWithMetaData: Row = {
  name: 'four readers of the builds of an organization with three builds of 144 MB of meta-data, or as much as they take',
  async run(stage) {
    for (const name of ['one', 'two', 'three']) {
      const job = await stage.jobOf(name);
      await setMetaData(stage, job, 1_440);
      expectStatus('finish', (await stage.finish(job)).status, 200);
    }
    const replies = await atOnce(callers, () => stage.rest('GET', `${acme}/builds`));
    for (const { status } of replies) expectStatus('a list of builds', status, ...orTooMuch);
  },
};

/** The step's field that holds a text of this size. */
const stepFields: Record<string, (text: string) => object> = {
  label: (text) => ({ command: 'true', label: text }),
  plugins: (text) => ({ command: 'true', plugins: [{ 'docker#v5.0.0': { image: text } }] }),
  command: (text) => ({ command: text }),
};

const parallelUpload: Row = {
  name: 'a job uploads one step of 1 MB or more for 500 parallel jobs, then the build is read by four and canceled',
  async run(stage) {
    for (const [field, stepOf] of Object.entries(stepFields)) {
      const job = await stage.jobOf(`uploads ${field}`);
      const sizes = [...(field === 'command' ? [7_500_000] : []), 1_000_000, 250_000, 32_000, 16_000, 4_000, 1_000];
      await stage.largest(field, sizes, (size) =>
        stage.agent('POST', `/jobs/${job.id}/pipelines`, job.token, {
          ...uploadOf({ steps: [{ ...stepOf(textOf(size)), parallelism: 499 }] }),
        }),
      );
      const path = `${acme}/pipelines/${job.slug}/builds/${job.build.number}`;
      const reads = await atOnce(callers, () => stage.rest('GET', path));
      for (const { status } of reads) expectStatus(`a build with a large ${field}`, status, ...orTooMuch);
      expectStatus('cancel', (await stage.rest('PUT', `${path}/cancel`)).status, 200, 413);
    }
  },
};

const parallelConfiguration: Row = {
  name: 'a configuration of 250 kB for 500 parallel jobs, of which 14 builds are on a page',
  async run(stage) {
    const slug = await largestPipeline(stage, 'parallel', [250_000, 64_000, 32_000, 16_000, 4_000], (size) =>
      parallelOf(500, size),
    );
    await buildMany(stage, slug, 14);
    const builds = `${acme}/pipelines/${slug}/builds`;
    const replies = await atOnce(callers, (index) => stage.rest('GET', index % 2 ? builds : `${builds}/1`));
    for (const { status } of replies) expectStatus('builds of many jobs', status, ...orTooMuch);
  },
};

const aliases: Row = {
  name: '770 aliases of one text of 20 kB in the environment of a step, of which 100 builds are on a page',
  async run(stage) {
    const slug = await largestPipeline(stage, 'aliases', [20_000, 2_000, 300], (size) => aliasesOf(770, size));
    await buildMany(stage, slug, 100);
    const path = `${acme}/pipelines/${slug}/builds?per_page=100`;
    const replies = await atOnce(callers, () => stage.rest('GET', path));
    for (const { status } of replies) expectStatus('a page of builds', status, ...orTooMuch);
  },
};

const notify: Row = {
  name: '190 entries of `notify` that say one text by aliases, of which 30 builds are on a page',
  async run(stage) {
    const slug = await largestPipeline(stage, 'notify', [80_000, 8_000, 1_000], (size) => notifyOf(190, size));
    await buildMany(stage, slug, 30);
    const replies = await atOnce(callers, () => stage.rest('GET', `${acme}/pipelines/${slug}/builds`));
    for (const { status } of replies) expectStatus('a page of builds', status, ...orTooMuch);
  },
};

const largeConfigurations: Row = {
  name: 'forty pipelines with configurations of 900 kB are read in one page by four',
  async run(stage) {
    await atOnce(callers, async (caller) => {
      for (let index = 0; index < 10; index += 1)
        await stage.pipeline(`large ${caller} ${index}`, `steps: [{ command: "true" }] # ${textOf(900_000)}`);
    });
    const replies = await atOnce(callers, () => stage.rest('GET', `${acme}/pipelines?per_page=100`));
    for (const { status } of replies) expectStatus('a page of pipelines', status, ...orTooMuch);
  },
};

/** Creates a pipeline with the largest of these configurations that it and a build of it may have; returns its slug. */
export async function largestPipeline(
  stage: Stage,
  what: string,
  sizes: readonly number[],
  configurationOf: (size: number) => string,
): Promise<string> {
  let slug = '';
  await stage.largest(what, sizes, async (size) => {
    const body = { name: `${what} ${size}`, repository: 'https://git.example.com/acme/app.git' };
    slug = `${what}-${size}`;
    const configuration = configurationOf(size);
    const created = await stage.rest('POST', `${acme}/pipelines`, { ...body, configuration });
    if (created.status >= 300) return created;
    return stage.rest('POST', `${acme}/pipelines/${slug}/builds`, { commit: 'HEAD', branch: 'main' });
  });
  return slug;
}

/** Creates further builds, so that there are so many. */
export async function buildMany(stage: Stage, slug: string, builds: number): Promise<void> {
  for (let index = 1; index < builds; index += 1) await stage.build(slug);
}

export const rowsOfWriters: readonly Row[] = [
  finishBesideServices,
  endlessMetaData,
  buildsWithMetaData,
  parallelUpload,
  parallelConfiguration,
  aliases,
  notify,
  largeConfigurations,
];
export { callers };
