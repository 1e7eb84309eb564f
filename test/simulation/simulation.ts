import { isBuildFinished } from '../../src/domain/builds/build-state.js';
import { claimStorage } from '../../src/resources/installation/storage/claim-storage.js';
import type { PipelineRow } from '../../src/entities/database.js';
import { createAnnotation } from '../../src/operations/builds/annotations/create.js';
import { stopAgent } from '../../src/operations/agents/stop.js';
import { cancelBuild } from '../../src/operations/builds/cancel.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { rebuildBuild } from '../../src/operations/builds/rebuild.js';
import { cancelJob } from '../../src/operations/builds/jobs/cancel.js';
import { agentHeldStates } from '../../src/domain/builds/job-state.js';
import { retryJob } from '../../src/operations/builds/jobs/retry.js';
import { unblockJob } from '../../src/operations/builds/jobs/unblock.js';
import type { AnyOperation } from '../../src/core/operation.js';
import type { World } from '../support/world.js';
import { type BuildFacts, readFacts } from './checks/facts.js';
import type { Faults } from './faults.js';
import { violations } from './checks/invariants.js';
import { wrongCounts } from './checks/wrong-counts.js';
import { brokenWord, EventFollower, untold } from './checks/outside-checks.js';
import { Random } from './random.js';
import { passOver } from './pass.js';
import { randomPipeline } from './random-pipeline.js';
import { SimulatedAgent } from './simulated/agent.js';
import { SimulatedUser } from './simulated/user.js';
import { Surroundings } from './surroundings.js';

const agentsAtMost = 4;
const buildsAtMost = 4;
const checkEvery = 16;
/** Steps in which time passes, with what the background does every few seconds. */
const tickSeconds = 8;
const frequentTasks = ['outbox', 'deadlines', 'lost-agents', 'pipeline-counts'];

/** One run of random pipelines, agents, people and faults, all from one seed. */
export class Simulation {
  /** What was done, for the report of a failure. */
  readonly trace: string[] = [];
  readonly around: Surroundings;
  private readonly random: Random;
  private readonly user: SimulatedUser;
  private readonly follower: EventFollower;
  private agents: SimulatedAgent[] = [];
  private pipelines: PipelineRow[] = [];
  private facts: BuildFacts[] = [];
  private builds = 0;
  private monthsPassed = 0;
  private monthsDue = 0;

  /**
   * With `atOnce` above one, things happen at the same time, which a seed does not repeat: for real databases, without
   * faults.
   */
  constructor(
    private readonly world: World,
    seed: number,
    faults: Faults | null,
    private readonly atOnce = 1,
    restartDatabase?: () => void,
  ) {
    this.random = new Random(seed);
    this.around = new Surroundings(world, this.random, seed, faults, restartDatabase);
    this.user = new SimulatedUser(this.around);
    this.follower = new EventFollower(this.around);
  }

  /** Does `steps` random things, then lets everything come to its end; throws at the first broken promise. */
  async run(steps: number): Promise<void> {
    // As a start does: the storage is empty, so all that comes is the installation's.
    await claimStorage(this.world.services);
    await this.makePipelines();
    await this.createBuild();
    await this.connectAgent();
    await this.connectAgent();
    for (let step = 1; step <= steps / this.atOnce; step += 1) {
      await Promise.all(Array.from({ length: this.atOnce }, () => this.act()));
      this.letMonthsPass();
      if (step % Math.ceil(checkEvery / this.atOnce) === 0) await this.check();
    }
    await this.around.release();
    await this.abandon();
    await this.drain();
    await this.conclude();
  }

  /** Offers jobs to the agents that say they are free, some of which are not; those that hear of it accept. */
  private async pass(): Promise<void> {
    const waiting = this.agents.filter((agent) => !agent.gone && (!agent.busy || this.random.chance(0.1)));
    await this.around.call(
      () =>
        passOver(
          this.world.services,
          this.world.queues.default,
          waiting.map(({ id }) => id),
        ),
      (answer) => {
        if (answer.outcome !== 'done') return;
        for (const [job, agentId] of answer.value) waiting.find(({ id }) => id === agentId)?.hear(job);
      },
    );
  }

  private async makePipelines(): Promise<void> {
    const { random, world } = this;
    const name = `${this.around.seed}-${world.system().newId().slice(-6)}`;
    const child = `child-${name}`;
    const surroundings = { name, triggers: [child, child, 'nowhere'] };
    const steps = random.chance(0.3) ? ['{"command": "true"}', '{"block": "Go on?"}'] : ['{"command": "true"}'];
    const flags = () => ({ cancelRunningBranchBuilds: random.chance(0.2), skipQueuedBranchBuilds: random.chance(0.2) });
    this.pipelines = [
      await world.pipeline(randomPipeline(random, surroundings), { slug: `one-${name}`, ...flags() }),
      await world.pipeline(randomPipeline(random, surroundings), { slug: `two-${name}`, ...flags() }),
      await world.pipeline(`{"steps": [${steps.join(',')}]}`, { slug: child }),
    ];
    if (this.atOnce === 1) await this.addReceiver();
  }

  private async addReceiver(): Promise<void> {
    const { world } = this;
    const id = world.system().newId();
    const now = world.clock.now();
    await world.services.db
      .insertInto('notification_services')
      .values({
        id,
        organizationId: world.organization.id,
        description: 'simulation',
        scope: 'all',
        url: 'http://receiver.test/',
        tokenMode: 'token',
        events: ['build.scheduled', 'build.finished'],
        createdAt: now,
        updatedAt: now,
      })
      .execute();
  }

  private async act(): Promise<void> {
    const { random, world, around } = this;
    const agent = random.pick(this.agents);
    const kind = random.weighted({
      work: 40,
      pass: 10,
      upload: 3,
      misbehave: 7,
      agent: 4,
      build: 3,
      rebuild: 0.5,
      unblock: 4,
      retry: 4,
      cancelJob: 2,
      cancelBuild: 1,
      annotate: 2,
      repeat: 2,
      stopAgent: 1,
      outbox: 12,
      background: 8,
      redeliver: 1,
      follow: 3,
      release: 4,
      tick: 10,
      minute: 2,
      freeze: 1,
      back: 1,
      month: 0.1,
    });
    this.trace.push(kind);
    switch (kind) {
      case 'work':
        return agent?.work(random.chance(0.75) ? '0' : String(random.pick([1, 2, -1])));
      case 'pass':
        return this.pass();
      case 'upload':
        return agent?.upload();
      case 'misbehave':
        return agent?.misbehave(this.jobs(() => true));
      case 'agent':
        return this.connectAgent();
      case 'build':
        return this.createBuild();
      case 'rebuild':
        return this.onBuild(rebuildBuild);
      case 'unblock':
        return this.onJob(
          unblockJob,
          this.jobs(({ type, state }) => (type === 'block' || type === 'input') && state === 'blocked'),
        );
      case 'retry':
        return this.onJob(
          retryJob,
          this.jobs(({ finishedAt }) => finishedAt !== null),
        );
      case 'cancelJob':
        return this.onJob(
          cancelJob,
          this.jobs(() => true),
        );
      case 'cancelBuild':
        return this.onBuild(cancelBuild);
      case 'annotate':
        return this.annotate();
      case 'repeat':
        return this.user.repeat();
      case 'stopAgent':
        return agent && this.user.call(stopAgent, { agent: { id: agent.id }, force: random.chance(0.5) });
      case 'outbox':
        return around.round('outbox');
      case 'background':
        return around.round();
      case 'redeliver':
        return this.redeliver();
      case 'follow':
        await around.round('event-order');
        await this.follower.readOn(1 + random.below(20));
        return;
      case 'release':
        return around.release();
      case 'tick':
        return world.clock.advance(random.below(12));
      case 'minute':
        world.clock.advance(70);
        return this.heartbeats();
      case 'freeze':
        return world.clock.advance(200);
      case 'back':
        return world.clock.advance(-random.below(90));
      case 'month':
        this.monthsDue += 1;
        return;
    }
  }

  /** Between calls: none takes longer than the hours after which what it has not recorded counts as left behind. */
  private letMonthsPass(): void {
    for (; this.monthsDue > 0; this.monthsDue -= 1) {
      if (this.monthsPassed < 2) this.world.clock.advance(31 * 86_400);
      this.monthsPassed += 1;
    }
  }

  private jobs(wanted: (job: BuildFacts['jobs'][number]) => boolean): string[] {
    return this.facts.flatMap(({ jobs }) => jobs.filter(wanted).map(({ id }) => id));
  }

  private async connectAgent(): Promise<void> {
    this.agents = this.agents.filter(({ gone }) => !gone);
    if (this.agents.length >= agentsAtMost) return;
    const agent = await SimulatedAgent.connect(this.around);
    if (agent) this.agents.push(agent);
  }

  private async createBuild(): Promise<void> {
    const pipeline = this.random.pick(this.pipelines.slice(0, 2));
    if (!pipeline || this.builds >= buildsAtMost) return;
    this.builds += 1;
    const message = `build ${this.builds} of seed ${this.around.seed}`;
    // Now and then one that is refused.
    const branch = this.random.chance(0.1) ? {} : { branch: 'main' };
    await this.user.call(createBuild, { pipeline: { id: pipeline.id }, commit: 'HEAD', ...branch, message }, message);
    this.facts = await this.read();
  }

  private async annotate(): Promise<void> {
    const { random, around } = this;
    const build = random.pick(this.facts)?.build;
    const text = `[note ${around.ledger.calls.length} of seed ${around.seed}]`;
    if (build)
      await this.user.call(
        createAnnotation,
        { of: { build: { id: build.id } }, body: text, context: `of users ${random.below(2)}`, append: true },
        text,
      );
  }

  private async heartbeats(): Promise<void> {
    for (const agent of this.agents) if (!agent.gone && this.random.chance(0.8)) await agent.heartbeat();
  }

  private async onJob(operation: AnyOperation, ids: readonly string[]): Promise<void> {
    const id = this.random.pick(ids);
    if (id !== undefined) await this.user.call(operation, { job: { id } });
  }

  private async onBuild(operation: AnyOperation): Promise<void> {
    const build = this.random.pick(this.facts)?.build;
    if (build) await this.user.call(operation, { build: { id: build.id } });
  }

  /** A message that was delivered although its sender does not know comes once more. */
  private async redeliver(): Promise<void> {
    const { db } = this.world.services;
    const message = this.random.pick(await db.selectFrom('outbox_messages').selectAll().orderBy('id').execute());
    if (message)
      await db
        .insertInto('outbox_messages')
        .values({ ...message, id: this.world.system().newId(), payload: message.payload })
        .execute();
  }

  private read(): Promise<BuildFacts[]> {
    return readFacts(
      this.world.services.db,
      this.pipelines.map(({ id }) => id),
    );
  }

  /** All promises that hold at any moment. */
  private async check(): Promise<void> {
    this.facts = await this.read();
    complain([...violations(this.facts), ...(await wrongCounts(this.world.services.db))]);
  }

  /** Lets time pass as it does where the product runs: in steps, with its background at work. */
  private async elapse(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += tickSeconds) {
      this.world.clock.advance(tickSeconds);
      await this.around.settle(['lost-agents', 'deadlines']);
      if (!(await this.anyHeld())) break;
    }
    await this.around.settle(frequentTasks);
  }

  private async anyHeld(): Promise<boolean> {
    const { db } = this.world.services;
    const job = await db.selectFrom('jobs').select('id').where('state', 'in', agentHeldStates).executeTakeFirst();
    return job !== undefined;
  }

  /** Every agent falls silent; once they count as lost no job is theirs (I6). */
  private async abandon(): Promise<void> {
    this.trace.push('abandon');
    this.agents = [];
    this.around.receiver.reliable = true;
    // The clock may have been set back: time has to pass from the latest moment anything was written.
    await this.elapse(90 + 190 + 40);
    await this.check();
    const held = this.facts.flatMap(({ jobs }) =>
      jobs.filter(({ type, state }) => type === 'command' && (agentHeldStates as readonly string[]).includes(state)),
    );
    complain(
      held.map(
        ({ id, state, deadlineAt }) =>
          `I6 job ${id} is held by an agent that is gone: ${state} until ${deadlineAt?.toISOString()}`,
      ),
    );
  }

  /** Two good agents and somebody who unblocks everything: every build must come to its end (I6, no slot leaks: I8). */
  private async drain(): Promise<void> {
    this.trace.push('drain');
    for (let tries = 0; tries < 20 && this.agents.length < 2; tries += 1) await this.connectAgent();
    for (let round = 0; round < 400; round += 1) {
      await this.around.settle(frequentTasks);
      await this.around.release();
      if (round % checkEvery === 0) await this.check();
      else this.facts = await this.read();
      if (this.facts.every(({ build }) => isBuildFinished(build.state))) return this.check();
      for (const id of this.jobs(({ type, state }) => (type === 'block' || type === 'input') && state === 'blocked'))
        await this.user.call(unblockJob, { job: { id } });
      for (const agent of this.agents)
        for (let call = 0; call < 8 && (call < 2 || agent.busy); call += 1) await agent.work();
      if (this.agents.every(({ gone }) => gone)) await this.connectAgent();
      this.world.clock.advance(2);
    }
    const stuck = this.facts.filter(({ build }) => !isBuildFinished(build.state));
    throw new Error(
      `I6 stuck: ${JSON.stringify(stuck.map(({ build, jobs }) => ({ number: build.number, state: build.state, jobs: jobs.map(({ type, state, concurrencyGroup, retried }) => [type, state, concurrencyGroup, retried]) })))}`,
    );
  }

  /**
   * What was taken by a process that died is taken up by another; then everything is compared with what was answered.
   */
  private async conclude(): Promise<void> {
    this.trace.push('conclude');
    await this.around.release();
    for (const seconds of [60, 700, 4000]) {
      this.world.clock.advance(seconds);
      await this.around.settle();
    }
    await this.check();
    complain([
      ...(await brokenWord(this.around, this.facts)),
      ...(await this.follower.gaps()),
      ...(this.atOnce === 1 ? await untold(this.around, this.facts) : []),
    ]);
  }
}

function complain(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}
