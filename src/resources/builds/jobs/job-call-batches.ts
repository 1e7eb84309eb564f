import pLimit from 'p-limit';
import type { AgentActor } from '../../../auth/actor.js';
import { readJobToken } from '../../../auth/job-token.js';
import { Context, type RequestFacts } from '../../../request/context.js';
import { isId } from '../../../core/address.js';
import type { AnyOperation } from '../../../core/operation.js';
import { type BatchCommand, type BatchResult, performBatch } from '../../../core/perform-batch.js';
import { BatchQueue } from '../../../database/batch-queue.js';
import { lockFreeJobs } from '../../../engine/builds/lock-job.js';
import { loadParts } from '../../../engine/builds/load-facts.js';
import type { AgentRow, Db, JobRow } from '../../../entities/database.js';
import { SharedRows } from '../../../request/shared-rows.js';
import { loadSurroundings } from './prime-environment.js';
import { loadHeldLogs } from '../logs/held-log.js';
import type { Services } from '../../../services/services.js';
import { sessionTokenHash, tokenOf } from '../../../auth/agent-header.js';

/** A call about a job. The row of the job names the agent that may make it. */
export interface JobCall {
  operation: AnyOperation;
  jobId: string;
  /** `Authorization` as it came. */
  authorization: string | undefined;
  request: Omit<RequestFacts, 'actor'>;
  input: unknown;
}

/** The result of a call with who made it; null: the call goes its own way. */
export type JobCallResult = { actor: AgentActor; result: NonNullable<BatchResult> } | null;

/** A call with a chunk of a log. */
export type ChunkCall = Pick<JobCall, 'jobId' | 'authorization'> & { sequence: number };

/** Who makes it, and the context of the call with what was read for it. */
export interface FoundChunk {
  actor: AgentActor;
  contextOf(request: Omit<RequestFacts, 'actor'>): Context;
}

/** Calls that one transaction carries out, or one statement reads for. */
const size = 50;

const isSequence = (number: number) => Number.isInteger(number) && number >= 0 && number < 2 ** 31;

/** The operations that are carried out in batches, each with what it reads beside the job and its build. */
export type BatchOperations = ReadonlyMap<AnyOperation, 'surroundings' | 'build'>;

/**
 * Carries out the calls about jobs in batches, each in one transaction: calls that come while one is under way share
 * the next one. Who calls is part of what the transaction reads. A call whose rows another transaction holds, or which
 * is about anything unusual, goes its own way.
 */
export class JobCallBatches {
  private readonly calls = new BatchQueue((calls: readonly JobCall[]) => this.carryOut(calls), { size });
  private readonly chunks = new BatchQueue((calls: readonly ChunkCall[]) => this.findChunks(calls), { size });
  /** Calls of more than a batch wait for its end too: two transactions would find each other's rows locked. */
  private readonly turns = pLimit(1);

  constructor(
    private readonly services: Services,
    private readonly operations: BatchOperations,
  ) {}

  async perform(call: JobCall): Promise<JobCallResult> {
    if (!isId(call.jobId)) return null;
    const result = await this.calls.add(call);
    // Who holds the rows is done soon, mostly before the next transaction begins.
    const again = result === 'held' ? await this.calls.add(call) : result;
    return again === 'held' ? null : again;
  }

  /** Reads who calls with a chunk, and its place in the log, together with others; null: the call goes its own way. */
  async findChunk(call: ChunkCall): Promise<FoundChunk | null> {
    return isId(call.jobId) && isSequence(call.sequence) ? this.chunks.add(call) : null;
  }

  private carryOut(calls: readonly JobCall[]): Promise<(JobCallResult | 'held')[]> {
    return this.turns(() => this.inOneTransaction(calls));
  }

  private async inOneTransaction(calls: readonly JobCall[]): Promise<(JobCallResult | 'held')[]> {
    let actors: (AgentActor | 'held' | null)[] = [];
    const results = await performBatch(this.services, 'agent calls', async (trx) => {
      const rows = await lockAndLoad(trx, calls, this.operations);
      actors = calls.map((call) => {
        const locked = rows.job(call.jobId);
        return locked ? this.actorOf(call, locked) : 'held';
      });
      return calls.map((call, index) => {
        const actor = actors[index];
        return actor && actor !== 'held' ? this.commandOf(call, actor, trx, rows) : null;
      });
    });
    return calls.map((_call, index) => {
      const result = results?.[index];
      const actor = actors[index] ?? null;
      if (actor === 'held' || actor === null) return results ? actor : null;
      return result ? { actor, result } : null;
    });
  }

  private async findChunks(calls: readonly ChunkCall[]): Promise<(FoundChunk | null)[]> {
    const shared = new SharedRows();
    const row = await loadHeldLogs(this.services.db, shared, calls);
    return calls.map((call) => {
      const actor = this.actorOf(call, row.get(call.jobId.toLowerCase()) ?? null);
      return (
        actor && {
          actor,
          contextOf: (request) =>
            new Context(this.services, { ...request, actor }, this.services.db, undefined, shared),
        }
      );
    });
  }

  /** The agent that holds the job, if the token is that of its session or of this attempt; null for any other. */
  private actorOf(
    { authorization }: Pick<JobCall, 'authorization'>,
    row: { job: Pick<JobRow, 'id' | 'attempt'>; agent: AgentRow | null } | null,
  ): AgentActor | null {
    if (!row?.agent) return null;
    const { job, agent } = row;
    const hash = sessionTokenHash(authorization);
    if (hash !== null) return agent.sessionTokenHash === hash ? { kind: 'agent', agent, job: null } : null;
    const claim = readJobToken(this.services.secretKey, tokenOf(authorization) ?? '');
    if (!claim || claim.jobId !== job.id || claim.attempt !== job.attempt) return null;
    return { kind: 'agent', agent, job: { id: claim.jobId, attempt: claim.attempt } };
  }

  private commandOf(call: JobCall, actor: AgentActor, trx: Db, rows: SharedRows): BatchCommand {
    const context = new Context(this.services, { ...call.request, actor }, trx, undefined, rows);
    return { operation: call.operation, context, input: call.input };
  }
}

async function lockAndLoad(trx: Db, calls: readonly JobCall[], operations: BatchOperations): Promise<SharedRows> {
  const rows = new SharedRows();
  await lockFreeJobs(trx, rows, [...new Set(calls.map(({ jobId }) => jobId.toLowerCase()))]);
  const locked = (kind: 'surroundings' | 'build') =>
    calls.flatMap((call) => (operations.get(call.operation) === kind ? (rows.job(call.jobId)?.job ?? []) : []));
  const accepted = locked('surroundings').map(({ id }) => id);
  const advanced = locked('build').map(({ buildId }) => buildId);
  if (accepted.length > 0) await loadSurroundings(trx, rows, accepted);
  if (advanced.length > 0) await loadParts(trx, rows, advanced);
  return rows;
}
