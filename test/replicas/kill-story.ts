import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { OpenDatabase } from '../../src/database/open.js';
import { ApiUser, type CreatedBuild } from './api-user.js';
import { sharedAttempts } from './evidence.js';
import { HttpCaller } from './http-caller.js';
import type { Replica } from './installation.js';
import { type AgentWork, noWork, ProtocolAgent } from './protocol-agent.js';

export interface KillStory {
  kills: number;
  agents: number;
  builds: number;
  /** The longest time a server lives after it has started; it is killed at a random moment of it. */
  lifeMs: number;
}

export interface KillOutcome {
  created: CreatedBuild[];
  work: AgentWork;
  user: ApiUser;
  /** Calls that had to be repeated: without any, nothing was tested. */
  disturbed: number;
}

const configuration =
  'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{command: "true", parallelism: 2}, wait, {command: "true", concurrency: 1, concurrency_group: gate}]';
export const jobsOfEachBuild = 3;

/** Kills the server again and again while builds are made and run; returns when every build is said to have passed. */
export async function runKillStory(
  replica: Replica,
  { kills, agents, builds, lifeMs }: KillStory,
): Promise<KillOutcome> {
  const callers: HttpCaller[] = [];
  const caller = () => {
    const made = new HttpCaller(() => [replica.url]);
    callers.push(made);
    return made;
  };
  const user = new ApiUser(caller());
  await user.pipeline('deploy', configuration);
  const work = noWork();
  const stop = new AbortController();
  const running = Array.from({ length: agents }, () =>
    new ProtocolAgent(caller(), work, { chunks: 3, pauseMs: 20 }).run(stop.signal),
  );
  const created: CreatedBuild[] = [];
  const create = async () => {
    for (let count = 0; count < builds; count += 1) {
      created.push(await user.build('deploy', `build-${count}`));
      await sleep((Math.random() * kills * lifeMs) / builds);
    }
  };
  const creating = create();
  for (let count = 0; count < kills; count += 1) {
    await sleep(Math.random() * lifeMs);
    await replica.kill();
    await replica.restart();
  }
  await creating;
  await allPassed(user, created);
  stop.abort();
  await Promise.all(running);
  return { created, work, user, disturbed: callers.reduce((sum, { failures }) => sum + failures, 0) };
}

async function allPassed(user: ApiUser, created: readonly CreatedBuild[]): Promise<void> {
  const deadline = Date.now() + 90_000;
  for (const { pipeline, number } of created) {
    for (;;) {
      const { status, body } = await user.rest('GET', `/organizations/acme/pipelines/${pipeline}/builds/${number}`);
      if (status !== 200) throw new Error(`build ${number} was acknowledged and is lost: ${status}`);
      if (body.state === 'passed') break;
      if (Date.now() > deadline)
        throw new Error(
          `build ${number} is ${body.state}: ${JSON.stringify(body.jobs.map((job: { state: string }) => job.state))}`,
        );
      await sleep(200);
    }
  }
}

/** Acknowledged chunks that are not in their log as they were sent, in order and once (I2, I7). */
export async function wrongLogs({ created, work, user }: KillOutcome): Promise<unknown[]> {
  const acknowledged = new Map([...work.logs.values()].map(({ job, text }) => [job, text]));
  const wrong: unknown[] = [];
  for (const { pipeline, number } of created) {
    const path = `/organizations/acme/pipelines/${pipeline}/builds/${number}`;
    const { body } = await user.rest('GET', path);
    for (const { id, type, state, exit_status: exitStatus } of body.jobs) {
      if (type !== 'script') continue;
      const log = await user.rest('GET', `${path}/jobs/${id}/log`);
      // A job that never ran, because one before it was ended for want of its agent, has nothing to show.
      const sent = acknowledged.get(id) ?? '';
      if (log.body.content !== sent) wrong.push({ id, state, exitStatus, sent, answer: log });
    }
  }
  return wrong;
}

/** What the database says against the promises, after the server has stopped; empty where all is well. */
export async function recount({ db }: OpenDatabase, { created, work }: KillOutcome): Promise<unknown[]> {
  const missing = created.map(({ id }) => id);
  const builds = await db.selectFrom('builds').select(['id', 'number', 'state']).execute();
  const jobs = await sql<{ id: string; attempt: number; state: string }>`
    select j.id, j.attempt, j.state from jobs j left join events e on e.job_id = j.id where j.type = 'command' group by j.id
    having j.state <> 'finished' or not j.passed or count(*) filter (where e.type = 'job.accept') > j.attempt or count(*) filter (where e.type = 'job.assign') <> j.attempt
      or count(*) filter (where e.type = 'job.pass') <> 1`.execute(db);
  const gaps = await sql`
    select b.number from builds b left join events e on e.build_id = b.id group by b.id
    having count(e.id) <> b.event_sequence or max(e.sequence) <> b.event_sequence or count(distinct e.sequence) <> b.event_sequence`.execute(
    db,
  );
  return [
    ...missing.filter((id) => !builds.some((build) => build.id === id)).map((id) => ({ lost: id })),
    // Each creation was repeated under its idempotency key until it was answered: one effect each (I11).
    ...(builds.length === created.length ? [] : [{ builds: builds.length, created: created.length }]),
    ...(new Set(builds.map(({ number }) => number)).size === builds.length
      ? []
      : [{ numbers: builds.map(({ number }) => number) }]),
    ...sharedAttempts(work).map((token) => ({ shared: token })),
    ...jobs.rows,
    ...gaps.rows,
  ];
}
