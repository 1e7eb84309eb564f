import DataLoader from 'dataloader';
import type { AgentActor } from '../auth/actor.js';
import { readJobToken } from '../auth/job-token.js';
import { Context, type RequestFacts } from '../context.js';
import { isId } from '../core/address.js';
import type { AnyOperation } from '../core/operation.js';
import { type JoinedCommand, type JoinedResult, performTogether } from '../core/perform-together.js';
import { lockFreeJobs } from '../engine/builds/lock-job.js';
import { loadParts } from '../engine/builds/load-facts.js';
import type { Db } from '../entities/database.js';
import { LockedRows } from '../locked-rows.js';
import { acceptJob } from '../operations/builds/jobs/accept.js';
import { finishJob } from '../operations/builds/jobs/finish.js';
import { startJob } from '../operations/builds/jobs/start.js';
import { loadSurroundings } from '../resources/builds/jobs/prime-environment.js';
import type { Services } from '../services.js';
import { sessionTokenHash, tokenOf } from './authentication.js';

/** A call about a job. Who makes it is told by the row of the job. */
export interface JobCall {
  operation: AnyOperation;
  jobId: string;
  /** `Authorization` as it came. */
  authorization: string | undefined;
  request: Omit<RequestFacts, 'actor'>;
  input: unknown;
}

/** The result of a call with who made it; null: the call goes its own way. */
export type JobCallResult = { actor: AgentActor; result: NonNullable<JoinedResult> } | null;

/** Calls that one transaction carries out, and transactions at a time. */
const atOnce = 25;
const transactionsAtOnce = 2;

/** The operations that are carried out so, each with what it reads beside the job and its build. */
const joined = new Map<AnyOperation, 'surroundings' | 'build'>([
  [acceptJob, 'surroundings'],
  [startJob, 'build'],
  [finishJob, 'build'],
]);

export const isJoined = (operation: AnyOperation): boolean => joined.has(operation);

/**
 * Carries out the calls about jobs of one moment together: those that come while transactions are under way share the next
 * one. Who calls is part of what the transaction reads. A call whose rows another transaction holds, or which is about
 * anything unusual, goes its own way.
 */
export class JoinedCalls {
  private readonly loader: DataLoader<JobCall, JobCallResult>;
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly services: Services) {
    this.loader = new DataLoader((calls) => this.carryOut(calls), {
      cache: false,
      maxBatchSize: atOnce,
      batchScheduleFn: (start) => void this.turn().then(() => setImmediate(start)),
    });
  }

  perform(call: JobCall): Promise<JobCallResult> {
    return isId(call.jobId) ? this.loader.load(call) : Promise.resolve(null);
  }

  private async turn(): Promise<void> {
    while (this.running.size >= transactionsAtOnce) await Promise.race(this.running);
  }

  private async carryOut(calls: readonly JobCall[]): Promise<JobCallResult[]> {
    const work = this.inOneTransaction(calls);
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.running.add(settled);
    void settled.then(() => this.running.delete(settled));
    return work;
  }

  private async inOneTransaction(calls: readonly JobCall[]): Promise<JobCallResult[]> {
    let actors: (AgentActor | null)[] = [];
    const results = await performTogether(this.services, 'agent calls', async (trx) => {
      const rows = await lockAndLoad(trx, calls);
      actors = calls.map((call) => this.actorOf(call, rows));
      return calls.map((call, index) => {
        const actor = actors[index];
        return actor ? this.commandOf(call, actor, trx, rows) : null;
      });
    });
    return calls.map((_call, index) => {
      const result = results?.[index];
      const actor = actors[index];
      return result && actor ? { actor, result } : null;
    });
  }

  /** The agent that holds the job, if the token is that of its session or of this attempt; null for any other. */
  private actorOf({ jobId, authorization }: JobCall, rows: LockedRows): AgentActor | null {
    const locked = rows.job(jobId);
    if (!locked?.agent) return null;
    const { job, agent } = locked;
    const hash = sessionTokenHash(authorization);
    if (hash !== null) return agent.sessionTokenHash === hash ? { kind: 'agent', agent, job: null } : null;
    const claim = readJobToken(this.services.secretKey, tokenOf(authorization) ?? '');
    if (!claim || claim.jobId !== job.id || claim.attempt !== job.attempt) return null;
    return { kind: 'agent', agent, job: { id: claim.jobId, attempt: claim.attempt } };
  }

  private commandOf(call: JobCall, actor: AgentActor, trx: Db, rows: LockedRows): JoinedCommand {
    const context = new Context(this.services, { ...call.request, actor }, trx, undefined, rows);
    return { operation: call.operation, context, input: call.input };
  }
}

async function lockAndLoad(trx: Db, calls: readonly JobCall[]): Promise<LockedRows> {
  const rows = new LockedRows();
  await lockFreeJobs(trx, rows, [...new Set(calls.map(({ jobId }) => jobId.toLowerCase()))]);
  const locked = (kind: 'surroundings' | 'build') =>
    calls.flatMap((call) => (joined.get(call.operation) === kind ? (rows.job(call.jobId)?.job ?? []) : []));
  const accepted = locked('surroundings').map(({ id }) => id);
  const advanced = locked('build').map(({ buildId }) => buildId);
  if (accepted.length > 0) await loadSurroundings(trx, rows, accepted);
  if (advanced.length > 0) await loadParts(trx, rows, advanced);
  return rows;
}
