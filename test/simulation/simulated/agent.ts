import { batchOperations } from '../../../src/agent-api/batch-operations.js';
import type { AgentActor } from '../../../src/auth/actor.js';
import { jobToken } from '../../../src/auth/job-token.js';
import { createAnnotation } from '../../../src/operations/builds/annotations/create.js';
import { connectAgent } from '../../../src/operations/agents/connect.js';
import { disconnectAgent } from '../../../src/operations/agents/disconnect.js';
import { heartbeatAgent } from '../../../src/operations/agents/heartbeat.js';
import { pingAgent } from '../../../src/operations/agents/ping.js';
import { registerAgent } from '../../../src/operations/agents/register.js';
import { acceptJob } from '../../../src/operations/builds/jobs/accept.js';
import { acquireJob } from '../../../src/operations/builds/jobs/acquire.js';
import { appendLog } from '../../../src/operations/builds/logs/append.js';
import { finishJob } from '../../../src/operations/builds/jobs/finish.js';
import { startJob } from '../../../src/operations/builds/jobs/start.js';
import { createStepUpload } from '../../../src/operations/builds/step-uploads/create.js';
import { randomUpload } from '../random-pipeline.js';
import { type AnyOperation, perform } from '../../../src/core/operation.js';
import { JobCallBatches } from '../../../src/resources/builds/jobs/job-call-batches.js';
import type { SentChunk } from '../checks/ledger.js';
import type { Answer, Surroundings } from '../surroundings.js';

/** A job an agent was given, now or once; an agent that was lost still believes in it. */
export interface Claim {
  id: string;
  attempt: number;
}

const triesAtMost = 3;

/** An agent that does what it should most of the time, and now and then what a lost, late or confused one does. */
export class SimulatedAgent {
  /** Offered, not yet accepted. */
  offered: string | null = null;
  accepted: Claim | null = null;
  started: Claim | null = null;
  gone = false;
  private readonly past: Claim[] = [];
  private unsent: SentChunk[] = [];

  private constructor(
    private readonly around: Surroundings,
    readonly id: string,
    private readonly session: string,
  ) {}

  /** Registered and connected; null where no answer came. */
  static async connect(around: Surroundings): Promise<SimulatedAgent | null> {
    const { world } = around;
    const token = await world.services.db
      .selectFrom('agent_tokens')
      .selectAll()
      .where('organizationId', '=', world.organization.id)
      .executeTakeFirstOrThrow();
    const actor = {
      kind: 'registration' as const,
      agentTokenId: token.id,
      organizationId: token.organizationId,
      clusterId: token.clusterId,
    };
    let id: string | null = null;
    let session = '';
    await around.call(
      () =>
        perform(registerAgent, world.context(actor, { surface: 'agent' }), { name: 'agent-%n', version: '3.137.0' }),
      (answer) => {
        id = answer.outcome === 'done' ? answer.value.agent.id : null;
        session = answer.outcome === 'done' ? answer.value.sessionToken : '';
      },
    );
    if (id === null) return null;
    const made = new SimulatedAgent(around, id, session);
    await made.call(connectAgent, {});
    return made;
  }

  /** Whether it has, or was offered, a job. */
  get busy(): boolean {
    return this.started !== null || this.accepted !== null || this.offered !== null;
  }

  /** Is told over its stream of a job that it is offered. */
  hear(job: string): void {
    if (!this.busy) this.offered = job;
  }

  /** One sensible call: work where there is any, else a ping. */
  async work(exitStatus = '0'): Promise<void> {
    if (this.started)
      return this.unsent.length > 0 && this.around.random.chance(0.8)
        ? this.sendChunk(this.started)
        : this.finish(this.started, exitStatus);
    if (this.accepted) return this.start(this.accepted);
    if (this.offered !== null) return this.accept(this.offered);
    await this.call(pingAgent, {}, null, (answer) => {
      if (answer.outcome !== 'done') return;
      this.offered = answer.value.job?.id ?? null;
      if (answer.value.action === 'disconnect') this.gone = true;
    });
    if (this.gone) await this.leave();
  }

  /** Uploads a pipeline from the job that runs, now and then from one that did; perhaps the same upload again. */
  async upload(): Promise<void> {
    const { random, ledger } = this.around;
    const claim = this.started ?? (random.chance(0.2) ? random.pick(this.past) : undefined);
    if (!claim) return;
    const uuid = `00000000-0000-4000-8000-${String(random.below(1_000_000_000)).padStart(12, '0')}`;
    const input = { job: claim.id, uuid, pipeline: randomUpload(random), replace: random.chance(0.2) };
    for (let time = 0; time < (random.chance(0.2) ? 2 : 1); time += 1)
      await this.call(createStepUpload, input, claim, (answer) => {
        if (answer.outcome === 'done') ledger.uploads.push({ job: claim.id, uuid, state: answer.value.state });
      });
  }

  /** One call that may be out of place. */
  async misbehave(jobs: readonly string[]): Promise<void> {
    const { random } = this.around;
    const old = random.pick(this.past);
    const some = random.pick(jobs);
    const kind = random.weighted({
      ping: 3,
      finishAgain: 3,
      startOld: 2,
      acceptAgain: 3,
      acceptAny: 3,
      acquireAny: 2,
      skipStart: 2,
      forget: 2,
      heartbeat: 1,
      leave: 1,
      lateChunk: 4,
      oldAnnotation: 1,
    });
    switch (kind) {
      case 'ping':
        return this.call(pingAgent, {});
      case 'finishAgain':
        return old && this.finish(old, String(random.below(3)));
      case 'startOld':
        return old && this.start(old);
      case 'acceptAgain':
        return (this.accepted ?? old) && this.accept((this.accepted ?? old)?.id ?? '');
      case 'acceptAny':
        return some === undefined ? undefined : this.accept(some);
      case 'acquireAny':
        return some === undefined
          ? undefined
          : this.call(acquireJob, { job: some }, null, (answer) => this.noteOwned(answer));
      case 'skipStart':
        return this.accepted ? this.finish(this.accepted, '0') : undefined;
      case 'forget':
        return this.drop();
      case 'heartbeat':
        return this.heartbeat();
      case 'leave':
        return this.leave();
      case 'lateChunk':
        return old && this.sendOldChunk(old);
      case 'oldAnnotation':
        return (
          old &&
          this.call(
            createAnnotation,
            {
              of: { heldJob: old.id, scope: random.chance(0.5) ? 'job' : 'build' },
              body: 'about it',
              context: random.pick(['one', 'two']),
              append: random.chance(0.5),
            },
            old,
          )
        );
    }
  }

  async heartbeat(): Promise<void> {
    await this.call(heartbeatAgent, {});
  }

  private async accept(job: string): Promise<void> {
    this.offered = null;
    await this.call(acceptJob, { job }, null, (answer) => this.noteOwned(answer));
  }

  private noteOwned(answer: Answer<{ job: { id: string; attempt: number } }>): void {
    if (answer.outcome !== 'done') return;
    const { id, attempt } = answer.value.job;
    this.around.ledger.own(id, attempt, this.id);
    this.accepted = { id, attempt };
    this.started = null;
    this.past.push(this.accepted);
  }

  private async start(claim: Claim): Promise<void> {
    this.accepted = null;
    await this.call(startJob, { job: claim.id }, claim, (answer) => {
      const started = answer.outcome === 'done' && answer.value.started;
      if (started) this.around.ledger.reports.push({ job: claim.id, attempt: claim.attempt, exitStatus: null });
      this.started = started ? claim : null;
      this.unsent = started ? this.chunksOf(claim) : [];
    });
  }

  private async finish(claim: Claim, exitStatus: string): Promise<void> {
    this.drop();
    await this.call(finishJob, { job: claim.id, exitStatus }, claim, (answer) => {
      if (answer.outcome === 'done')
        this.around.ledger.reports.push({ job: claim.id, attempt: claim.attempt, exitStatus: Number(exitStatus) });
    });
  }

  /** What the job writes: always the same, so that an attempt that starts twice contradicts nothing. */
  private chunksOf({ id }: Claim): SentChunk[] {
    const known = this.around.ledger.chunks.get(id);
    if (known) return [...known];
    const chunks: SentChunk[] = [];
    for (let sequence = 1, offset = 0; sequence <= this.around.random.below(5); sequence += 1) {
      const text = `${sequence} of ${id}${'.'.repeat(this.around.random.below(40))}\n`;
      chunks.push({ sequence, offset, text, acknowledged: false });
      offset += text.length;
    }
    this.around.ledger.chunks.set(id, chunks);
    return [...chunks];
  }

  /** One of those that are left, in no order; it is left again where no answer came. Now and then it is sent twice. */
  private async sendChunk(claim: Claim): Promise<void> {
    const [chunk] = this.unsent.splice(this.around.random.below(this.unsent.length), 1);
    if (!chunk) return;
    await this.send(claim, chunk, () => this.unsent.push(chunk));
    if (this.around.random.chance(0.15)) await this.send(claim, chunk);
  }

  private async sendOldChunk(claim: Claim): Promise<void> {
    const chunk = this.around.random.pick(this.around.ledger.chunks.get(claim.id) ?? []);
    if (chunk) await this.send(claim, chunk);
  }

  private async send(claim: Claim, chunk: SentChunk, onSilence: () => void = () => undefined): Promise<void> {
    const { sequence, offset, text } = chunk;
    await this.call(
      appendLog,
      { job: claim.id, sequence, offset, size: text.length, bytes: Buffer.from(text) },
      claim,
      (answer) => {
        if (answer.outcome === 'unknown') onSilence();
        if (answer.outcome !== 'done') return;
        if (answer.value.outcome === 'stored' || answer.value.outcome === 'repeated') chunk.acknowledged = true;
        else this.around.ledger.complaints.push(`I7 chunk ${sequence} of job ${claim.id} was ${answer.value.outcome}`);
      },
    );
  }

  private drop(): void {
    this.offered = this.accepted = this.started = null;
    this.unsent = [];
  }

  private async leave(): Promise<void> {
    this.drop();
    await this.call(disconnectAgent, {});
    this.gone = true;
  }

  /**
   * As the door would: the agent's row as it is now, and nothing once its session has ended. What got no answer is
   * tried again, as agents do; `onAnswer` hears the last answer.
   */
  private async call<O extends AnyOperation>(
    operation: O,
    input: unknown,
    job: Claim | null = null,
    onAnswer: (answer: Answer<Awaited<ReturnType<O['run']>>>) => void = () => undefined,
  ): Promise<void> {
    const { world, random } = this.around;
    let again = true;
    for (let tries = 1; again; tries += 1) {
      again = false;
      const agent = await world.services.db
        .selectFrom('agents')
        .selectAll()
        .where('id', '=', this.id)
        .executeTakeFirstOrThrow();
      if (agent.sessionTokenHash === null) {
        this.gone = true;
        return;
      }
      const actor: AgentActor = { kind: 'agent', agent, job };
      await this.around.call<Awaited<ReturnType<O['run']>>>(
        () =>
          (batchOperations.has(operation)
            ? this.perform(operation, actor, input)
            : this.performAlone(operation, actor, input)) as Promise<Awaited<ReturnType<O['run']>>>,
        (answer) => {
          again = answer.outcome === 'unknown' && tries < triesAtMost && random.chance(0.9);
          if (!again) onAnswer(answer);
        },
      );
    }
  }

  /**
   * As the door does it with calls about jobs: in one transaction with what else comes, and alone where that is not
   * possible.
   */
  private async perform(operation: AnyOperation, actor: AgentActor, input: unknown): Promise<unknown> {
    const { services } = this.around.world;
    const { job } = actor;
    const done = await new JobCallBatches(services, batchOperations).perform({
      operation,
      jobId: (input as { job: string }).job,
      authorization: `Token ${job ? jobToken(services.secretKey, job.id, job.attempt) : this.session}`,
      request: this.around.world.context(actor, { surface: 'agent' }).request,
      input,
    });
    if (!done) return this.performAlone(operation, actor, input);
    if ('problem' in done.result) throw done.result.problem;
    return done.result.output;
  }

  private performAlone(operation: AnyOperation, actor: AgentActor, input: unknown): Promise<unknown> {
    return perform(operation, this.around.world.context(actor, { surface: 'agent' }), input);
  }
}
