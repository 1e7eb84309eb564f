// Agents as they call /v3, without running anything.
import { gzipSync } from 'node:zlib';
import { call, callOk } from './load.mjs';
import { registrationToken } from './organization.mjs';

/** Registers and connects an agent; gives its calls. */
export async function connectAgent(url, name, tags = ['queue=default']) {
  const v3 = `${url}/v3`;
  const { access_token } = await callOk(`${v3}/register`, {
    method: 'POST',
    token: `Token ${registrationToken}`,
    body: { name, hostname: 'bench', os: 'linux', arch: 'amd64', version: '3.100.0', meta_data: tags },
  });
  const token = `Token ${access_token}`;
  await callOk(`${v3}/connect`, { method: 'POST', token });
  const agent = {
    ping: () => callOk(`${v3}/ping`, { token }),
    /** Takes the job that a ping offered; gives the calls of the job. */
    async accept(id) {
      const accepted = await callOk(`${v3}/jobs/${id}/accept`, { method: 'PUT', token, body: {} });
      const own = `Token ${accepted.token}`;
      return {
        start: () =>
          callOk(`${v3}/jobs/${id}/start`, {
            method: 'PUT',
            token: own,
            body: { started_at: new Date().toISOString() },
          }),
        /** Sends bytes that were zipped before, so that the bench does not measure its own compression. */
        async chunk(sequence, offset, size, zipped) {
          const { status, text } = await call(
            `${v3}/jobs/${id}/chunks?sequence=${sequence}&offset=${offset}&size=${size}`,
            {
              method: 'POST',
              token: own,
              payload: zipped,
              headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
            },
          );
          if (status >= 300) throw new Error(`a chunk was answered ${status} ${text.slice(0, 300)}`);
        },
        upload: (uuid, pipeline) =>
          callOk(`${v3}/jobs/${id}/pipelines`, { method: 'POST', token: own, body: { uuid, pipeline } }),
        finish: () =>
          callOk(`${v3}/jobs/${id}/finish`, {
            method: 'PUT',
            token: own,
            body: { exit_status: '0', finished_at: new Date().toISOString() },
          }),
      };
    },
    /** Asks until a job is offered: every build with one to give may be locked by another agent just now. */
    async takeJob() {
      for (let time = 0; time < 1000; time += 1) {
        const { job } = await agent.ping();
        if (job) return { id: job.id, ...(await agent.accept(job.id)) };
      }
      throw new Error('no job was offered');
    },
  };
  return agent;
}

export const connectAgents = (url, count) =>
  Promise.all(Array.from({ length: count }, (_, index) => connectAgent(url, `agent-${index}`)));

const text = Buffer.from('a line of a log that says what a step does\n'.repeat(4));
const zipped = gzipSync(text);

/** One job from the ping that offers it to its end, with three chunks of log. */
export async function lifecycle(agent) {
  const job = await agent.takeJob();
  await job.start();
  for (const n of [1, 2, 3]) await job.chunk(n, (n - 1) * text.length, text.length, zipped);
  await job.finish();
}
