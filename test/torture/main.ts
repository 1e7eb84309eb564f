import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/database/open.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { ApiUser } from '../replicas/api-user.js';
import { ownDatabase } from '../replicas/evidence.js';
import { HttpCaller } from '../replicas/http-caller.js';
import { Replica } from '../replicas/installation.js';
import { wrongLogs } from '../replicas/kill-story.js';
import { noWork, ProtocolAgent } from '../replicas/protocol-agent.js';
import { Random } from '../simulation/random.js';
import { median } from '../soak/slope.js';
import { temporaryDirectory } from '../support/directory.js';
import { doorsDisagree } from './surfaces.js';
import { counted, TortureLedger } from './ledger.js';
import { recountAll } from './recount.js';
import { Stranger } from './stranger.js';
import { Writer } from './writer.js';

/**
 * Kills servers under load and counts what is left: `npm run -s torture -- --kills 200 --database embedded|postgres
 * --replicas 2 --seed 1`. Between one kill and the next at least `--writes` writes are acknowledged. Ends with 1 where
 * a promise is broken.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    writes: { type: 'string', default: '100' },
    database: { type: 'string', default: 'embedded' },
    replicas: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
});
const kills = Number(values.kills);
const onPostgres = values.database === 'postgres';
const replicasCount = onPostgres ? Number(values.replicas) : 1;
const agentsCount = 6;
const writersCount = 4;
const patienceMs = 180_000;
/** A job whose agent was lost is held for three minutes; then it has to be run again. */
const settlingMs = 420_000;
const configuration =
  'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{command: "true", parallelism: 2}, wait, {command: "true", concurrency: 1, concurrency_group: gate}]';
const print = (text: string) => process.stdout.write(`${text}\n`);

interface RestBuild {
  number: number;
  state: string;
  jobs: { state: string }[];
}

const random = new Random(Number(values.seed));
const directory = temporaryDirectory();
const server = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'] ?? '';
const own = onPostgres ? await ownDatabase(server, `slipway_torture_${process.pid}_${Date.now()}`) : null;
const env = { DATA_DIR: directory.path, ...(own ? { DATABASE_URL: own.url } : {}) };
const replicas = [await Replica.start(directory.path, env)];
while (replicas.length < replicasCount) replicas.push(await Replica.start(directory.path, env));

const ledger = new TortureLedger();
const work = noWork();
const writesBetween: number[] = [];
const restarts: number[] = [];
const failed: unknown[] = [];
const callers: HttpCaller[] = [];
let agentsLost = 0;
const stopWriting = new AbortController();
const stopWorking = new AbortController();
const caller = () => {
  const made = counted(new HttpCaller(() => replicas.map(({ url }) => url), callers.length, patienceMs), ledger);
  callers.push(made);
  return made;
};

const stranger = new Stranger(caller(), ledger);

/** Waits until enough was acknowledged since the last kill, and then a moment more, so that it strikes anywhere. */
async function untilWritten(since: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (ledger.acknowledged - since < Number(values.writes)) {
    if (failed.length > 0) throw failed[0];
    if (Date.now() > deadline)
      throw new Error(`only ${ledger.acknowledged - since} writes were acknowledged in ${patienceMs / 1000} s`);
    await sleep(10);
  }
  await sleep(random.below(300));
}

async function killAndRestart(): Promise<void> {
  const both = random.chance(0.25);
  const chosen = both ? replicas : [random.pick(replicas) as Replica];
  await Promise.all(chosen.map((replica) => replica.kill()));
  const started = Date.now();
  await Promise.all(chosen.map((replica) => replica.restart()));
  restarts.push(Date.now() - started);
}

async function finished(user: ApiUser): Promise<void> {
  const deadline = Date.now() + settlingMs;
  for (;;) {
    if (failed.length > 0) throw failed[0];
    const states = await Promise.all(
      ['scheduled', 'running', 'creating', 'failing'].map((state) =>
        user.rest('GET', `/builds?state=${state}&per_page=1`),
      ),
    );
    if (states.every(({ body }) => Array.isArray(body) && body.length === 0)) return;
    if (Date.now() > deadline)
      throw new Error(
        `builds do not come to their end: ${JSON.stringify(states.flatMap(({ body }) => body.map((build: RestBuild) => [build.number, build.state, build.jobs.map(({ state }) => state)])))}`,
      );
    await sleep(300);
  }
}

/**
 * An agent that was lost, because its server was away for too long, comes back as a new one; how often that was is
 * printed.
 */
async function serveAsAgent(calls: HttpCaller, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      await new ProtocolAgent(calls, work, { chunks: 4, pauseMs: 5, idleMs: 200, artifact: true }).run(stop);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('ping answered'))) throw error;
      agentsLost += 1;
    }
  }
}

async function torture(): Promise<string[]> {
  const user = new ApiUser(caller());
  await user.pipeline('deploy', configuration);
  const unfinished = () => ledger.builds.length * 3 - work.logs.size;
  const noted = (promise: Promise<void>) => promise.catch((error: unknown) => void failed.push(error));
  const agents = Array.from({ length: agentsCount }, () => noted(serveAsAgent(caller(), stopWorking.signal)));
  const writers = Array.from({ length: writersCount }, (_, index) =>
    noted(new Writer(`writer-${index}`, caller(), ledger, () => unfinished() / 3).run(stopWriting.signal)),
  );
  const looking = noted(stranger.run(stopWorking.signal));
  const started = Date.now();
  for (let kill = 1; kill <= kills; kill += 1) {
    const since = ledger.acknowledged;
    await untilWritten(since);
    writesBetween.push(ledger.acknowledged - since);
    await killAndRestart();
    if (kill % 5 === 0 || kill === kills)
      print(
        `${kill} kills in ${((Date.now() - started) / 1000).toFixed(0)} s, ${ledger.acknowledged} writes acknowledged, ${ledger.builds.length} builds`,
      );
  }
  stopWriting.abort();
  await Promise.all(writers);
  const settlingFrom = Date.now();
  await finished(user);
  print(`every build came to its end ${((Date.now() - settlingFrom) / 1000).toFixed(1)} s after the last write`);
  stopWorking.abort();
  await Promise.all([...agents, looking]);
  if (failed.length > 0) throw failed[0];
  const created = ledger.builds.map(({ id, number }) => ({ id, number, pipeline: 'deploy' }));
  const wrong = [
    ...(await wrongLogs({ created, work, user, disturbed: 0 })).map((log) => `I7 ${JSON.stringify(log).slice(0, 500)}`),
    ...(await doorsDisagree(user, created, random)),
    ...stranger.disclosures,
  ];
  await Promise.all(replicas.map((replica) => replica.stop()));
  const database = await openDatabase({ databaseUrl: own?.url, dataDir: directory.path });
  try {
    return [
      ...wrong,
      ...(await recountAll(database, openStorage(undefined, { dataDir: directory.path }), ledger, work)),
    ];
  } finally {
    await database.close();
  }
}

try {
  const violations = await torture();
  for (const violation of violations.slice(0, 50)) print(violation);
  print(
    JSON.stringify({
      database: values.database,
      replicas: replicasCount,
      seed: Number(values.seed),
      kills,
      acknowledgedWrites: ledger.acknowledged,
      builds: ledger.builds.length,
      teams: ledger.teams.length,
      artifacts: work.artifacts.length,
      repliesToStrangers: stranger.replies,
      writesBetweenKills: { min: Math.min(...writesBetween), median: median(writesBetween) },
      restartMs: { median: median(restarts), max: Math.max(...restarts) },
      repeatedCalls: callers.reduce((sum, { failures }) => sum + failures, 0),
      agentsLost,
      refusals: Object.fromEntries(work.refusals),
      violations: violations.length,
    }),
  );
  process.exitCode = violations.length > 0 ? 1 : 0;
} catch (error) {
  print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
} finally {
  await Promise.all(replicas.map((replica) => replica.kill()));
  await own?.drop();
  directory.remove();
}
process.exit();
