// 1,000 steps that jobs upload to their builds: what planning and inserting them costs, beside parsing their YAML alone.
import { randomUUID } from 'node:crypto';
import { stringify } from 'yaml';
import { connectAgents } from '../harness/agents.mjs';
import { callOk, median } from '../harness/load.mjs';
import { cpuOf } from '../harness/processes.mjs';
import { startOther, startProduct } from '../harness/product.mjs';

/** CPU time is counted in steps of 10 ms, so that a round is several builds. */
const jobsOfARound = 4;
/** An upload may bring 500 jobs. */
const perUpload = 500;
/** For agents that none of the bench is: what is uploaded stays in its queue. */
const command = (n) => ({
  key: `test-${n}`,
  label: `:node: Test ${n}`,
  command: `npm ci\nnpm test -- --shard ${n}/1000`,
  agents: { queue: 'default', os: 'linux' },
  env: { SHARD: String(n), NODE_ENV: 'test' },
  artifact_paths: ['coverage/**/*', 'logs/*.txt'],
  timeout_in_minutes: 30,
  retry: { automatic: [{ exit_status: -1, limit: 2 }] },
  plugins: [{ 'docker#v5.13.0': { image: 'node:22', environment: ['CI'] } }],
});
const numbers = (count, from = 1) => Array.from({ length: count }, (_, index) => from + index);

/** Pipelines of 1,000 steps, each as the uploads that bring it. */
const kinds = {
  'side by side, in two uploads': [numbers(perUpload), numbers(perUpload, perUpload + 1)].map((some) => ({
    steps: some.map(command),
  })),
  'each after the one before it, in two uploads': [numbers(perUpload), numbers(perUpload, perUpload + 1)].map(
    (some) => ({
      steps: some.map((n) => ({ ...command(n), ...(n === 1 ? {} : { depends_on: `test-${n - 1}` }) })),
    }),
  ),
  '500 groups of one, in one upload': [
    { steps: numbers(perUpload).map((n) => ({ group: `Group ${n}`, key: `group-${n}`, steps: [command(n)] })) },
  ],
};

/** CPU milliseconds that a process, and the database, take for a piece of work. */
async function costOf(bench, { pid, database }, work) {
  const read = async () => ({
    server: cpuOf(pid),
    database: bench.postgres.cpuMs(),
    statements: await bench.postgres.statements(database),
  });
  const before = await read();
  await work();
  const after = await read();
  return Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
}

/** As many jobs as a round needs, each running in a build of its own. */
async function startJobs(url, agents) {
  const builds = `${url}/v2/organizations/bench/pipelines/app/builds`;
  for (const _agent of agents)
    await callOk(builds, { method: 'POST', body: { commit: 'HEAD', branch: 'main', message: 'Upload' } });
  return Promise.all(
    agents.map(async (agent) => {
      const job = await agent.takeJob();
      await job.start();
      return job;
    }),
  );
}

export const paths = [
  {
    name: 'upload',
    title: '1,000 steps are uploaded',
    async run(bench, report) {
      await bench.seeds.copied('empty', async (database) => {
        const product = await startProduct(database);
        const floor = await startOther(new URL('../floors/parse-yaml.mjs', import.meta.url), database);
        try {
          await callOk(`${product.url}/v2/organizations/bench/pipelines/app`, {
            method: 'PATCH',
            body: { configuration: 'steps: [{ command: upload }]' },
          });
          const agents = await connectAgents(product.url, jobsOfARound);
          for (const [what, uploads] of Object.entries(kinds)) {
            const yamls = uploads.map((upload) => stringify(upload));
            const rounds = [];
            for (let round = 0; round <= bench.rounds; round += 1) {
              const jobs = await startJobs(product.url, agents);
              const ours = await costOf(bench, product.contender, async () => {
                for (const job of jobs) for (const pipeline of uploads) await job.upload(randomUUID(), pipeline);
              });
              const other = await costOf(bench, floor.contender, async () => {
                for (const _job of jobs)
                  for (const yaml of yamls) await callOk(floor.url, { method: 'POST', body: { yaml } });
              });
              for (const job of jobs) await job.finish();
              if (round > 0) rounds.push({ ours, other });
            }
            const middle = (side, name) => median(rounds.map((each) => each[side][name])) / agents.length;
            report({
              what,
              beside: 'parsing their YAML',
              ratio: middle('ours', 'server') / middle('other', 'server'),
              figure: `${Math.round(middle('ours', 'server'))} ms of CPU`,
              reach: '200 ms',
              server_cpu_ms: middle('ours', 'server'),
              database_cpu_ms: middle('ours', 'database'),
              statements: middle('ours', 'statements'),
            });
          }
        } finally {
          await floor.stop();
          await product.stop();
        }
      });
    },
  },
];
