import { addServices, callers, expectStatus, orTooMuch, type Row, setMetaData } from './rows-of-writers.js';
import { acme, atOnce, type HeldJob } from './support/stage.js';
import { MiB, parallelOf, textOf } from './support/texts.js';

const finishAtOnce: Row = {
  name: 'four jobs with all meta-data that a build may have finish at once beside 15 webhook services',
  async run(stage) {
    // A receiver that nothing reaches: what matters is that the events can be stored.
    await addServices(stage, 'http://127.0.0.1:9/hook');
    const jobs: HeldJob[] = [];
    for (let index = 0; index < callers; index += 1) {
      const job = await stage.jobOf(`deploy ${index}`);
      stage.notes['values'] = await setMetaData(stage, job, 1_000);
      jobs.push(job);
    }
    const replies = await atOnce(callers, (index) => stage.finish(jobs[index] as HeldJob));
    for (const { status } of replies) expectStatus('finish', status, 200);
  },
};

const endAtOnce: Row = {
  name: 'four builds of 499 jobs of 32 kB each are canceled at once, and rebuilt at once',
  async run(stage) {
    const slug = await stage.pipeline('large jobs', parallelOf(499, 32_000));
    const paths: string[] = [];
    for (let index = 0; index < callers; index += 1) {
      const { number } = await stage.build(slug);
      paths.push(`${acme}/pipelines/${slug}/builds/${number}`);
    }
    for (const verb of ['cancel', 'rebuild']) {
      const replies = await atOnce(callers, (index) => stage.rest('PUT', `${paths[index]}/${verb}`, {}));
      for (const { status } of replies) expectStatus(verb, status, ...orTooMuch, 201);
      stage.notes[verb] = replies.map(({ status }) => status);
    }
  },
};

const uploadAtOnce: Row = {
  name: 'four uploads of test results of 32 MiB and sixteen bodies of 8 MiB arrive at once, and each is taken or asked to come again',
  async run(stage) {
    const suite = { name: 'RSpec', default_branch: 'main', show_api_token: true };
    const { api_token: token } = await stage.made('POST', '/analytics/organizations/acme/suites', suite);
    const headers = { authorization: `Token token="${token}"` };
    const upload = textOf(32 * MiB - 1_000);
    const body = { format: 'json', run_env: { key: 'large' }, data: [{ name: 'a', failure_reason: upload }] };
    const text = JSON.stringify(body);
    const json = JSON.stringify({ query: '{ viewer { id } }', more: textOf(8 * MiB - 1_000) });
    const sent = await Promise.all([
      ...Array.from({ length: callers }, () => stage.client.send('POST', '/v1/uploads', { headers, body: text })),
      ...Array.from({ length: 8 }, () => stage.rest('POST', `${acme}/pipelines`, JSON.parse(json))),
      ...Array.from({ length: 8 }, () => stage.client.send('POST', '/graphql', { token: stage.token, body: json })),
    ]);
    stage.notes['at_once'] = sent.map(({ status }) => status);
    for (const { status, retryAfter } of sent)
      expectStatus('a large body', status, 200, 202, 400, 413, 422, ...(retryAfter === null ? [] : [503]));
    const { repeated, refusals } = stage.client;
    stage.notes['asked_to_come_again'] = repeated.splice(0).length + refusals.splice(0).length;
    expectStatus('a small body after', (await stage.graphql('{ viewer { id } }')).status, 200);
  },
};

export const rowsOfCallersAtOnce: readonly Row[] = [finishAtOnce, endAtOnce, uploadAtOnce];
