// Logs: what agents send, HTML, and the end of a long log.
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { compare, measureAlone } from '../harness/compare.mjs';
import { connectAgents } from '../harness/agents.mjs';
import { call, callOk, median } from '../harness/load.mjs';
import { stepsOf } from '../harness/organization.mjs';
import { startOther, startProduct } from '../harness/product.mjs';
import { withEmbedded } from '../harness/seeds.mjs';

const chunkBytes = 100_000;
const line = (i) =>
  `\u001b_bk;t=${1700000000000 + i * 7}\u0007${i % 50 ? `\u001b[32mok\u001b[0m ${i} src/module-${i % 97}/file.ts (${i % 13} ms)` : `--- Step ${i}`}\r\n`;
const block = Buffer.from(Array.from({ length: 1200 }, (_, i) => line(i)).join(''));
const builds = (url) => `${url}/v2/organizations/bench/pipelines/app/builds`;

/** Four agents, each running a job; gives a function that appends a chunk to the log of one of them. */
async function startLogs(url, count = 4) {
  await callOk(builds(url).replace('/builds', ''), { method: 'PATCH', body: { configuration: stepsOf(count) } });
  await callOk(builds(url), { method: 'POST', body: { commit: 'HEAD', branch: 'main', message: 'Logs' } });
  const agents = await connectAgents(url, count);
  const jobs = [];
  for (const agent of agents) {
    const job = await agent.takeJob();
    await job.start();
    jobs.push({ ...job, sequence: 0 });
  }
  // Text of words, which compresses about as logs do; no two chunks are the same.
  const zipped = Array.from({ length: 16 }, () => {
    const words = Array.from(
      { length: 12_500 },
      () => createHash('md5').update(randomBytes(4)).digest('hex').slice(0, 1) + 'passed ',
    );
    return gzipSync(Buffer.from(words.join('')).subarray(0, chunkBytes).toString().padEnd(chunkBytes, '.'));
  });
  const append = async (loop) => {
    const job = jobs[loop];
    job.sequence += 1;
    await job.chunk(job.sequence, (job.sequence - 1) * chunkBytes, chunkBytes, zipped[job.sequence % zipped.length]);
  };
  return { jobs, append, zipped };
}

const inMegabytes = (rate) => `${((rate * chunkBytes) / 1e6).toFixed(1)} MB/s`;

export const paths = [
  {
    name: 'log-ingest',
    title: 'Log chunks of 100 kB, 4 jobs',
    async run(bench, report) {
      await bench.seeds.copied('empty', async (database) => {
        const product = await startProduct(database);
        const floor = await startOther(new URL('../floors/append.mjs', import.meta.url), database);
        try {
          const { append, zipped } = await startLogs(product.url);
          const other = {
            ...floor.contender,
            step: (loop) => call(`${floor.url}/${loop}`, { method: 'POST', token: null, payload: zipped[loop] }),
          };
          const figures = await compare({
            bench,
            ours: { ...product.contender, step: append },
            other,
            loops: 4,
            ms: 1000,
          });
          report({
            beside: 'a synced append to a file',
            reach: '50 MB/s',
            figure: inMegabytes(figures.per_second),
            ...figures,
          });
        } finally {
          await floor.stop();
          await product.stop();
        }
      });
      await withEmbedded(async (database) => {
        const product = await startProduct(database);
        try {
          const { append } = await startLogs(product.url);
          const figures = await measureAlone({
            bench,
            ours: { ...product.contender, step: append },
            loops: 4,
            ms: 1000,
          });
          report({ what: 'embedded database', figure: inMegabytes(figures.per_second), ...figures });
        } finally {
          await product.stop();
        }
      });
    },
  },
  {
    name: 'log-rendering',
    peers: true,
    title: 'A log as HTML, in one thread',
    async run(bench, report) {
      const { LogRenderer } = await import('../../dist/domain/builds/logs/terminal/log-renderer.js');
      const peers = new URL('../peers/node_modules/', import.meta.url).href;
      const { AnsiUp } = await import(`${peers}ansi_up/ansi_up.js`);
      const rate = (step) => {
        const start = process.hrtime.bigint();
        for (let i = 0; i < 200; i += 1) step();
        return (200 * block.length * 1000) / Number(process.hrtime.bigint() - start);
      };
      const rounds = Array.from({ length: bench.rounds + 1 }, () => {
        const [peer, renderer] = [new AnsiUp(), new LogRenderer()];
        const theirs = rate(() => peer.ansi_to_html(block.toString()));
        const ours = rate(() => renderer.push(block));
        return { ours, ratio: ours / theirs };
      }).slice(1);
      const ratios = rounds.map(({ ratio }) => ratio);
      report({
        beside: 'ansi_up, which keeps no screen',
        ratio: median(ratios),
        spread: [Math.min(...ratios), Math.max(...ratios)],
        figure: `${median(rounds.map(({ ours }) => ours)).toFixed(1)} MB/s`,
        reach: '50 MB/s',
      });
    },
  },
  {
    name: 'log-tail',
    title: 'The last 64 KiB of a log of 64 MB',
    async run(bench, report) {
      await bench.seeds.copied('empty', async (database) => {
        const product = await startProduct(database);
        try {
          const { jobs, append } = await startLogs(product.url, 1);
          const chunks = Math.round((64e6 / chunkBytes) * bench.scale);
          while (jobs[0].sequence < chunks) await append(0);
          const url = `${builds(product.url)}/1/jobs/${jobs[0].id}/log.txt`;
          const read = async () => {
            const { status, text } = await call(url, { headers: { range: 'bytes=-65536', accept: 'text/plain' } });
            if (status !== 206 || text.length !== 65_536)
              throw new Error(`the tail was answered ${status}, ${text.length} bytes`);
          };
          const figures = await measureAlone({ bench, ours: { ...product.contender, step: read } });
          report({ figure: `${(1000 / figures.per_second).toFixed(1)} ms`, reach: '50 ms of 1 GB', ...figures });
        } finally {
          await product.stop();
        }
      });
    },
  },
];
