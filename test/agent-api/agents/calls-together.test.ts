import type { Express } from 'express';
import { agentApp, buildOf, dispatchOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { SentStatements } from '../../support/sent-statements.js';
import { World } from '../../support/world.js';

const jobsOf = (count: number, more = '') =>
  `steps:\n${Array.from({ length: count }, (_, index) => `  - { command: "make ${index}", key: k${index}${more} }\n`).join('')}`;

describe('calls of agents that come at the same time', () => {
  let world: World;
  let app: Express;
  let sent: SentStatements;
  beforeAll(async () => {
    sent = new SentStatements();
    world = await World.create({ embedded: sent.embedded });
    app = agentApp(world);
  });
  afterAll(async () => {
    await dispatchOf(world).stop();
    sent.close();
    await world.close();
  });
  afterEach(() => world.services.db.updateTable('jobs').set({ state: 'canceled' }).execute());

  const connected = (count: number) =>
    Promise.all(Array.from({ length: count }, () => ScriptedAgent.connected(app, world.agentToken)));

  /** Each agent with the job that it was offered, of pings that all came at once. */
  async function offers(agents: readonly ScriptedAgent[]) {
    const answers = await Promise.all(agents.map((agent) => agent.ping()));
    return agents.map((agent, index) => ({ agent, job: answers[index]?.job?.id ?? '' }));
  }

  const eventsOf = (buildId: string) =>
    world.services.db
      .selectFrom('events')
      .select(['sequence', 'type', 'jobId'])
      .where('buildId', '=', buildId)
      .orderBy('sequence')
      .execute();

  test('share transactions, and each is answered by its own result', async () => {
    const agents = await connected(8);
    const [one, two] = [await buildOf(world, jobsOf(5)), await buildOf(world, jobsOf(3))];
    const held = await offers(agents);
    expect(new Set(held.map(({ job }) => job))).toEqual(new Set([...one.jobs, ...two.jobs].map(({ id }) => id)));

    const accepting = await sent.during(async () => {
      const accepted = await Promise.all(held.map(({ agent, job }) => agent.accept(job)));
      expect(accepted.map(({ status, body }) => [status, body.id])).toEqual(held.map(({ job }) => [200, job]));
    });
    // One transaction would be five; a call that comes a little later than the others begins another.
    expect(accepting.filter((text) => text.startsWith('begin')).length).toBeLessThan(held.length);
    await Promise.all(held.map(({ agent, job }) => agent.start(job).expect(200)));

    const [first, second] = held;
    const statuses = await Promise.all([
      ...held.slice(1).map(({ agent, job }) => agent.finish(job)),
      // The same report twice, one of a job that another agent holds, one with the token of another job, and nonsense.
      second?.agent.finish(second.job),
      first?.agent.call('put', `/jobs/${second?.job}/finish`).send({ exit_status: '1' }),
      first?.agent.finish(second?.job ?? ''),
      first?.agent.call('put', `/jobs/${first.job}/finish`, 'bkaj_nobody').send({ exit_status: '0' }),
    ]).then((replies) => replies.map((reply) => reply?.status));
    expect(statuses).toEqual([...held.slice(1).map(() => 200), 200, 422, 404, 401]);
    await first?.agent.finish(first.job, { exit_status: '1' }).expect(200);

    for (const { build, jobs } of [one, two]) {
      const events = await eventsOf(build.id);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
      for (const { id } of jobs)
        expect(events.filter(({ jobId }) => jobId === id).map(({ type }) => type)).toEqual([
          'job.schedule',
          'job.assign',
          'job.accept',
          'job.start',
          expect.stringMatching(/^job\.(pass|fail)$/),
        ]);
      const after = await world.services.db
        .selectFrom('builds')
        .select(['state', 'eventSequence'])
        .where('id', '=', build.id)
        .executeTakeFirstOrThrow();
      expect(after).toEqual({
        state: jobs.some(({ id }) => id === first?.job) ? 'failed' : 'passed',
        eventSequence: events.length,
      });
    }
  });

  test('a job that must be retried is ended alone, and the others with it', async () => {
    const agents = await connected(3);
    const { build, jobs } = await buildOf(world, jobsOf(3, ', retry: { automatic: [{ exit_status: 7, limit: 1 }] }'));
    const held = await offers(agents);
    await Promise.all(held.map(({ agent, job }) => agent.accept(job)));
    await Promise.all(held.map(({ agent, job }) => agent.start(job).expect(200)));
    const lost = jobs[1]?.id;
    await Promise.all(
      held.map(({ agent, job }) => agent.finish(job, { exit_status: job === lost ? '7' : '0' }).expect(200)),
    );
    const rows = await world.services.db
      .selectFrom('jobs')
      .select(['id', 'state', 'exitStatus', 'retried', 'retrySourceId'])
      .where('buildId', '=', build.id)
      .execute();
    expect(rows).toHaveLength(4);
    expect(rows.find(({ id }) => id === lost)).toMatchObject({ state: 'finished', exitStatus: 7, retried: true });
    expect(rows.find(({ retrySourceId }) => retrySourceId === lost)).toMatchObject({ state: 'scheduled' });
    const events = await eventsOf(build.id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
  });

  test('chunks of many logs are stored together, each once', async () => {
    const agents = await connected(4);
    const { jobs } = await buildOf(world, jobsOf(4));
    const held = await offers(agents);
    await Promise.all(held.map(({ agent, job }) => agent.accept(job)));
    await Promise.all(held.map(({ agent, job }) => agent.start(job).expect(200)));
    const text = 'hello\n';
    const storing = await sent.during(() =>
      Promise.all(
        held.flatMap(({ agent, job }) => [
          agent.chunk(job, 1, 0, text).expect(201),
          agent.chunk(job, 2, text.length, text).expect(201),
          agent.chunk(job, 1, 0, text).expect(201),
        ]),
      ),
    );
    // How many share a statement is a matter of moments; twelve chunks alone would be twelve statements.
    expect(storing.filter((statement) => statement.startsWith('with running')).length).toBeLessThan(8);
    const chunks = await world.services.db
      .selectFrom('log_chunks as c')
      .innerJoin('log_usage as u', 'u.jobId', 'c.jobId')
      .innerJoin('jobs as j', 'j.id', 'c.jobId')
      .select(['c.sequence', 'u.entries', 'u.bytes', 'j.logSize'])
      .where(
        'c.jobId',
        'in',
        jobs.map(({ id }) => id),
      )
      .orderBy('c.jobId')
      .orderBy('c.sequence')
      .execute();
    const whole = { entries: 2, bytes: 12, logSize: 12 };
    expect(chunks).toEqual(
      jobs.flatMap(() => [
        { sequence: 1, ...whole },
        { sequence: 2, ...whole },
      ]),
    );
  });
});
