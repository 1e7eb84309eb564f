import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '../support/directory.js';
import { ownDatabase } from '../replicas/evidence.js';
import { Replica } from '../replicas/installation.js';
import { Load } from './load.js';
import { asCsv, growthAfter, type Sample, takeSample } from './samples.js';

/**
 * Runs a server under a steady load and says how its memory grows: `npm run -s soak -- --minutes 30 --database
 * embedded`. Leaves samples.csv and result.json in the directory that `--out` names. Ends with 1 where a call failed.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    'warm-up-minutes': { type: 'string', default: '5' },
    database: { type: 'string', default: 'embedded' },
    agents: { type: 'string', default: '20' },
    'build-every-ms': { type: 'string', default: '3000' },
    chunks: { type: 'string', default: '4' },
    'chunk-bytes': { type: 'string', default: '4096' },
    'heap-snapshots': { type: 'boolean', default: false },
    'node-options': { type: 'string', default: '' },
    out: { type: 'string', default: 'tmp/soak' },
  },
});
const minutes = Number(values.minutes);
const warmUpMinutes = Math.min(Number(values['warm-up-minutes']), minutes / 2);
const sampleEveryMs = 5000;
const print = (text: string) => process.stdout.write(`${text}\n`);

async function soak(replica: Replica): Promise<boolean> {
  const load = new Load(() => [replica.url], {
    agents: Number(values.agents),
    buildEveryMs: Number(values['build-every-ms']),
    chunks: Number(values.chunks),
    chunkBytes: Number(values['chunk-bytes']),
  });
  const samples: Sample[] = [];
  const started = Date.now();
  const seconds = () => (Date.now() - started) / 1000;
  await load.start();
  let snapshots = 0;
  let missed = 0;
  while (seconds() < minutes * 60) {
    await sleep(sampleEveryMs);
    const sample = await takeSample(
      { url: replica.url, pid: replica.pid, dataDir: directory.path },
      seconds(),
      load.counts.builds,
    ).catch(() => null);
    if (!sample) {
      missed += 1;
      continue;
    }
    samples.push(sample);
    if (samples.length % 12 === 0)
      print(`${(sample.at / 60).toFixed(0)} min: ${line(sample)}, ${JSON.stringify(load.counts)}`);
    const due = snapshots === 0 ? warmUpMinutes * 60 : minutes * 60 - 30;
    if (values['heap-snapshots'] && snapshots < 2 && sample.at >= due) {
      process.kill(replica.pid, 'SIGUSR2');
      snapshots += 1;
    }
  }
  await load.end();
  const growth = growthAfter(samples, warmUpMinutes * 60);
  const result = {
    minutes,
    warmUpMinutes,
    database: values.database,
    counts: load.counts,
    missedSamples: missed,
    failures: load.failures,
    failuresByStatus: load.failuresByStatus,
    errors: Object.fromEntries(load.errors),
    serverErrors: replica.errors().length,
    growth,
  };
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, 'samples.csv'), asCsv(samples));
  writeFileSync(join(values.out, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  for (const [name, { mbPerHour, standardError, first, last }] of Object.entries(growth ?? {})) {
    print(
      `${name}: ${mbPerHour.toFixed(1)} MB/hour (standard error ${standardError.toFixed(1)}), from ${first.toFixed(1)} to ${last.toFixed(1)} MB`,
    );
  }
  print(JSON.stringify({ ...result, growth: undefined }));
  for (const error of replica.errors().slice(0, 5)) print(error.slice(0, 1000));
  return load.failures === 0 && load.errors.size === 0 && replica.errors().length === 0;
}

const line = (sample: Sample) =>
  `rss ${sample.rss.toFixed(0)}, heap ${sample.heapUsed.toFixed(0)} of ${sample.heapTotal.toFixed(0)}, external ${sample.external.toFixed(0)}, other ${sample.other.toFixed(0)} MB, loop p99 ${sample.eventLoopP99.toFixed(0)} ms, ${sample.handles} handles, files ${sample.databaseFiles.toFixed(0)} MB of which WAL ${sample.walFiles.toFixed(0)}`;

const directory = temporaryDirectory();
const server = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'];
const own =
  values.database === 'postgres' ? await ownDatabase(server ?? '', `slipway_soak_${process.pid}_${Date.now()}`) : null;
const nodeArguments = [
  '--max-semi-space-size=8',
  '--enable-source-maps',
  ...values['node-options'].split(' ').filter(Boolean),
  ...(values['heap-snapshots'] ? ['--heapsnapshot-signal=SIGUSR2'] : []),
];
const replica = await Replica.start(
  directory.path,
  { DATA_DIR: directory.path, ...(own ? { DATABASE_URL: own.url } : {}) },
  nodeArguments,
);
try {
  process.exitCode = (await soak(replica)) ? 0 : 1;
} finally {
  await replica.stop();
  await own?.drop();
  directory.remove();
}
process.exit();
