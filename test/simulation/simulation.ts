import { settle } from '../../src/background/background.js';
import { isBuildFinished } from '../../src/domain/build-state.js';
import type { PipelineRow } from '../../src/entities/database.js';
import { cancelBuild } from '../../src/operations/builds/cancel.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { stopAgent } from '../../src/operations/agents/stop.js';
import { cancelJob } from '../../src/operations/jobs/cancel.js';
import { heldStates } from '../../src/operations/jobs/release-from-agent.js';
import { retryJob } from '../../src/operations/jobs/retry.js';
import { unblockJob } from '../../src/operations/jobs/unblock.js';
import type { AnyOperation } from '../../src/operations/operation.js';
import type { World } from '../support/world.js';
import { type BuildFacts, readFacts } from './facts.js';
import { violations } from './invariants.js';
import { Random } from './random.js';
import { randomPipeline } from './random-pipeline.js';
import { attempt, type Owners, SimulatedAgent } from './simulated-agent.js';

const agentsAtMost = 4;
const buildsAtMost = 4;
const checkEvery = 8;

/** One run of random pipelines, agents, people and faults, all from one seed. */
export class Simulation {
  /** What was done, for the report of a failure. */
  readonly trace: string[] = [];
  private readonly random: Random;
  private readonly owners: Owners = new Map();
  private agents: SimulatedAgent[] = [];
  private pipelines: PipelineRow[] = [];
  private facts: BuildFacts[] = [];
  private builds = 0;

  /** With `atOnce` above one, things happen at the same time, which a seed does not repeat: for real databases only. */
  constructor(private readonly world: World, private readonly seed: number, private readonly atOnce = 1) {
    this.random = new Random(seed);
  }

  /** Does `steps` random things, then lets everything come to its end; throws at the first broken promise. */
  async run(steps: number): Promise<void> {
    await this.makePipelines();
    await this.createBuild();
    for (let step = 1; step <= steps / this.atOnce; step += 1) {
      await Promise.all(Array.from({ length: this.atOnce }, () => this.act()));
      if (step % Math.ceil(checkEvery / this.atOnce) === 0) await this.check();
    }
    await this.abandon();
    await this.drain();
  }

  private async makePipelines(): Promise<void> {
    const name = `${this.seed}-${this.world.system().newId().slice(-6)}`;
    const child = `child-${name}`;
    const surroundings = { name, triggers: [child, child, 'nowhere'] };
    const steps = this.random.chance(0.3) ? ['{"command": "true"}', '{"block": "Go on?"}'] : ['{"command": "true"}'];
    const flags = () => ({ cancelRunningBranchBuilds: this.random.chance(0.2), skipQueuedBranchBuilds: this.random.chance(0.2) });
    this.pipelines = [
      await this.world.pipeline(randomPipeline(this.random, surroundings), { slug: `one-${name}`, ...flags() }),
      await this.world.pipeline(randomPipeline(this.random, surroundings), { slug: `two-${name}`, ...flags() }),
      await this.world.pipeline(`{"steps": [${steps.join(',')}]}`, { slug: child }),
    ];
  }

  private async act(): Promise<void> {
    const { random, world } = this;
    const agent = random.pick(this.agents);
    const kind = random.weighted({ work: 34, misbehave: 6, agent: 4, build: 3, unblock: 4, retry: 4, cancelJob: 2, cancelBuild: 1, stopAgent: 1, settle: 14, tick: 10, minute: 2, lost: 1, back: 1, month: 0.1 });
    this.trace.push(kind);
    switch (kind) {
      case 'work':
        return agent?.work(random.chance(0.75) ? '0' : String(random.pick([1, 2, -1])));
      case 'misbehave':
        return agent?.misbehave(this.jobs(() => true));
      case 'agent':
        return this.connectAgent();
      case 'build':
        return this.createBuild();
      case 'unblock':
        return this.onJob(unblockJob, this.jobs(({ type, state }) => (type === 'block' || type === 'input') && state === 'blocked'));
      case 'retry':
        return this.onJob(retryJob, this.jobs(({ finishedAt }) => finishedAt !== null));
      case 'cancelJob':
        return this.onJob(cancelJob, this.jobs(() => true));
      case 'cancelBuild': {
        const build = random.pick(this.facts)?.build;
        if (build) await this.asUser(cancelBuild, { build: { id: build.id } });
        return;
      }
      case 'stopAgent':
        if (agent) await this.asUser(stopAgent, { agent: { id: agent.id }, force: random.chance(0.5) });
        return;
      case 'settle':
        return settle(world.services);
      case 'tick':
        return world.clock.advance(random.below(12));
      case 'minute':
        world.clock.advance(70);
        return this.heartbeats();
      case 'lost':
        return world.clock.advance(200);
      case 'back':
        return world.clock.advance(-random.below(90));
      case 'month':
        return world.clock.advance(31 * 86_400);
    }
  }

  private jobs(wanted: (job: BuildFacts['jobs'][number]) => boolean): string[] {
    return this.facts.flatMap(({ jobs }) => jobs.filter(wanted).map(({ id }) => id));
  }

  private async connectAgent(): Promise<void> {
    this.agents = this.agents.filter(({ gone }) => !gone);
    if (this.agents.length < agentsAtMost) this.agents.push(await SimulatedAgent.connect(this.world, this.random, this.owners));
  }

  private async createBuild(): Promise<void> {
    const pipeline = this.random.pick(this.pipelines.slice(0, 2));
    if (!pipeline || this.builds >= buildsAtMost) return;
    this.builds += 1;
    await this.world.perform(this.world.admin, createBuild, { pipeline: { id: pipeline.id }, commit: 'HEAD', branch: 'main', message: 'Go' });
    this.facts = await this.read();
  }

  private async heartbeats(): Promise<void> {
    for (const agent of this.agents) if (!agent.gone && this.random.chance(0.8)) await agent.heartbeat();
  }

  private async onJob(operation: AnyOperation, ids: readonly string[]): Promise<void> {
    const id = this.random.pick(ids);
    if (id !== undefined) await this.asUser(operation, { job: { id } });
  }

  private async asUser(operation: AnyOperation, input: object): Promise<void> {
    await attempt(this.world.perform(this.world.admin, operation, input));
  }

  private read(): Promise<BuildFacts[]> {
    return readFacts(this.world.services.db, this.pipelines.map(({ id }) => id));
  }

  /** All promises that hold at any moment. */
  private async check(): Promise<void> {
    this.facts = await this.read();
    const wrong = violations(this.facts);
    for (const [attempted, agents] of this.owners) if (agents.size > 1) wrong.push(`I1 attempt ${attempted} has the owners ${[...agents].join(' and ')}`);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  }

  /** Every agent falls silent; once they count as lost no job is theirs (I6). */
  private async abandon(): Promise<void> {
    this.trace.push('abandon');
    this.agents = [];
    // The clock may have been set back: time has to pass from the latest moment anything was written.
    this.world.clock.advance(90 + 190);
    await settle(this.world.services);
    this.world.clock.advance(40);
    await settle(this.world.services);
    await this.check();
    const held = this.facts.flatMap(({ jobs }) => jobs.filter(({ type, state }) => type === 'command' && (heldStates as readonly string[]).includes(state)));
    if (held.length > 0) throw new Error(`I6 held by agents that are gone: ${JSON.stringify(held.map(({ id, state, deadlineAt }) => ({ id, state, deadlineAt })))}`);
  }

  /** Two good agents and somebody who unblocks everything: every build must come to its end (I6, no slot leaks: I8). */
  private async drain(): Promise<void> {
    this.trace.push('drain');
    await this.connectAgent();
    await this.connectAgent();
    for (let round = 0; round < 400; round += 1) {
      await settle(this.world.services);
      if (round % checkEvery === 0) await this.check();
      if (this.facts.every(({ build }) => isBuildFinished(build.state))) return;
      for (const id of this.jobs(({ type, state }) => (type === 'block' || type === 'input') && state === 'blocked')) await this.asUser(unblockJob, { job: { id } });
      for (const agent of this.agents) for (let call = 0; call < 4; call += 1) await agent.work();
    }
    const stuck = this.facts.filter(({ build }) => !isBuildFinished(build.state));
    throw new Error(`I6 stuck: ${JSON.stringify(stuck.map(({ build, jobs }) => ({ number: build.number, state: build.state, jobs: jobs.map(({ type, state, concurrencyGroup, retried }) => [type, state, concurrencyGroup, retried]) })))}`);
  }
}
