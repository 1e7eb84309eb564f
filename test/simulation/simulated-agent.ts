import type { AgentActor } from '../../src/auth/actor.js';
import { Problem } from '../../src/domain/problem.js';
import { connectAgent } from '../../src/operations/agents/connect.js';
import { disconnectAgent } from '../../src/operations/agents/disconnect.js';
import { heartbeatAgent } from '../../src/operations/agents/heartbeat.js';
import { pingAgent } from '../../src/operations/agents/ping.js';
import { registerAgent } from '../../src/operations/agents/register.js';
import { acceptJob } from '../../src/operations/jobs/accept.js';
import { acquireJob } from '../../src/operations/jobs/acquire.js';
import { finishJob } from '../../src/operations/jobs/finish.js';
import { startJob } from '../../src/operations/jobs/start.js';
import { type AnyOperation, perform } from '../../src/operations/operation.js';
import type { World } from '../support/world.js';
import type { Random } from './random.js';

/** A job an agent was given, now or once; an agent that was lost still believes in it. */
export interface Claim {
  id: string;
  attempt: number;
}

/** Successful accepts by job and attempt: the agents that got one (I1). */
export type Owners = Map<string, Set<string>>;

/** Calls an operation; a refusal is an answer like another (null), everything else a failure of the product. */
export async function attempt<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** An agent that does what it should most of the time, and now and then what a lost, late or confused one does. */
export class SimulatedAgent {
  /** Offered, not yet accepted. */
  offered: string | null = null;
  accepted: Claim | null = null;
  started: Claim | null = null;
  private readonly past: Claim[] = [];
  gone = false;

  private constructor(private readonly world: World, private readonly random: Random, private readonly owners: Owners, readonly id: string) {}

  static async connect(world: World, random: Random, owners: Owners): Promise<SimulatedAgent> {
    const token = await world.services.db.selectFrom('agent_tokens').selectAll().where('organizationId', '=', world.organization.id).executeTakeFirstOrThrow();
    const actor = { kind: 'registration' as const, agentTokenId: token.id, organizationId: token.organizationId, clusterId: token.clusterId };
    const { agent } = await perform(registerAgent, world.context(actor, { door: 'agent' }), { name: 'agent-%n', version: '3.137.0' });
    const made = new SimulatedAgent(world, random, owners, agent.id);
    await made.call(connectAgent, {});
    return made;
  }

  /** One sensible call: work where there is any, else a ping. */
  async work(exitStatus = '0'): Promise<void> {
    if (this.started) return this.finish(this.started, exitStatus);
    if (this.accepted) return this.start(this.accepted);
    if (this.offered !== null) return this.accept(this.offered);
    const answer = await this.call(pingAgent, {});
    if (answer?.action === 'disconnect') await this.leave();
    this.offered = answer?.job?.id ?? null;
  }

  /** One call that may be out of place. */
  async misbehave(jobs: readonly string[]): Promise<void> {
    const { random } = this;
    const old = random.pick(this.past);
    const some = random.pick(jobs);
    switch (random.weighted({ ping: 3, finishAgain: 3, startOld: 2, acceptAgain: 3, acceptAny: 3, acquireAny: 2, skipStart: 2, forget: 2, heartbeat: 1, leave: 1 })) {
      case 'ping':
        await this.call(pingAgent, {});
        return;
      case 'finishAgain':
        if (old) await this.call(finishJob, { job: old.id, exitStatus: String(random.below(3)) }, old);
        return;
      case 'startOld':
        if (old) await this.call(startJob, { job: old.id }, old);
        return;
      case 'acceptAgain':
        if (this.accepted ?? old) await this.accept((this.accepted ?? old)?.id ?? '');
        return;
      case 'acceptAny':
        if (some) await this.accept(some);
        return;
      case 'acquireAny':
        if (some) await this.noteOwned(await this.call(acquireJob, { job: some }));
        return;
      case 'skipStart':
        if (this.accepted) await this.finish(this.accepted, '0');
        return;
      case 'forget':
        this.drop();
        return;
      case 'heartbeat':
        await this.call(heartbeatAgent, {});
        return;
      case 'leave':
        await this.leave();
    }
  }

  async heartbeat(): Promise<void> {
    await this.call(heartbeatAgent, {});
  }

  private async accept(job: string): Promise<void> {
    this.offered = null;
    await this.noteOwned(await this.call(acceptJob, { job }));
  }

  private async noteOwned(accepted: { job: { id: string; attempt: number } } | null): Promise<void> {
    if (!accepted) return;
    const { id, attempt: number } = accepted.job;
    const key = `${id} ${number}`;
    this.owners.set(key, (this.owners.get(key) ?? new Set()).add(this.id));
    this.accepted = { id, attempt: number };
    this.started = null;
    this.past.push(this.accepted);
  }

  private async start(claim: Claim): Promise<void> {
    const answer = await this.call(startJob, { job: claim.id }, claim);
    this.accepted = null;
    this.started = answer?.started ? claim : null;
  }

  private async finish(claim: Claim, exitStatus: string): Promise<void> {
    this.drop();
    await this.call(finishJob, { job: claim.id, exitStatus }, claim);
  }

  private drop(): void {
    this.offered = this.accepted = this.started = null;
  }

  private async leave(): Promise<void> {
    this.drop();
    await this.call(disconnectAgent, {});
    this.gone = true;
  }

  /** As the door would: the agent's row as it is now, and nothing once its session has ended. */
  private async call<O extends AnyOperation>(operation: O, input: unknown, job: Claim | null = null): Promise<Awaited<ReturnType<O['run']>> | null> {
    const agent = await this.world.services.db.selectFrom('agents').selectAll().where('id', '=', this.id).executeTakeFirstOrThrow();
    if (agent.sessionTokenHash === null) {
      this.gone = true;
      return null;
    }
    const actor: AgentActor = { kind: 'agent', agent, job };
    return (await attempt(perform(operation, this.world.context(actor, { door: 'agent' }), input))) as Awaited<ReturnType<O['run']>> | null;
  }
}
