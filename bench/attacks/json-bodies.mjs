// JSON bodies of many keys and large values: new builds with a hundred thousand variables and with as much meta-data as a body
// can hold, and test results, as JSON and as forms.
import { call } from '../harness/load.mjs';
import { pipelines } from './measure.mjs';

const entries = (count, value) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`K${index}`, value]));

const newBuild =
  (more) =>
  async ({ url, tally }, signal) => {
    const body = { commit: 'HEAD', branch: 'main', ...more };
    while (!signal.aborted) tally((await call(`${pipelines(url)}/app/builds`, { method: 'POST', body })).status);
  };

const tokens = new Map();

/** Token of a suite that the first attack on a server makes. */
async function suiteToken(url) {
  if (!tokens.has(url)) {
    const body = { name: 'Attacks', default_branch: 'main', show_api_token: true };
    const reply = await call(`${url}/v2/analytics/organizations/bench/suites`, { method: 'POST', body });
    tokens.set(url, JSON.parse(reply.text).api_token);
  }
  return tokens.get(url);
}

/** Sends results to the suite again and again; `requestOf` gives the content type, if it is not the body's own, and the body. */
const testUploads =
  (requestOf) =>
  async ({ url, tally }, signal) => {
    const token = await suiteToken(url);
    for (let upload = 0; !signal.aborted; upload += 1) {
      const { headers, body } = requestOf(`attack-${upload}`);
      const reply = await fetch(`${url}/v1/uploads`, {
        method: 'POST',
        headers: { ...headers, authorization: `Token token="${token}"` },
        body,
        signal: AbortSignal.timeout(60_000),
      }).catch(() => null);
      tally(reply?.status ?? 0);
      await reply?.arrayBuffer();
    }
  };

const asJson = (data) => (key) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ format: 'json', run_env: { key }, data }),
});

/** A form with a file, as most collectors send. */
const asForm = (data) => {
  const file = new Blob([JSON.stringify(data)], { type: 'application/json' });
  return (key) => {
    const body = new FormData();
    body.set('format', 'json');
    body.set('run_env[key]', key);
    body.set('data', file, 'results.json');
    return { body };
  };
};

const manyKeys = Array.from({ length: 20_000 }, (_, item) =>
  Object.fromEntries(Array.from({ length: 40 }, (_, key) => [`k${item}_${key}`, 1])),
);
const large = Array.from({ length: 4_000 }, (_, item) => ({
  name: `test ${item}`,
  result: 'failed',
  failure_reason: 'x'.repeat(7_500),
}));

export const attacks = [
  { name: 'build-variables', attack: newBuild({ env: entries(100_000, 'x') }) },
  { name: 'build-meta-data', attack: newBuild({ meta_data: entries(1_000, 'x'.repeat(7_000)) }) },
  { name: 'test-upload-keys', attack: testUploads(asJson(manyKeys)) },
  { name: 'test-upload-large', attack: testUploads(asJson(large)) },
  { name: 'test-upload-form', attack: testUploads(asForm(large)) },
];
