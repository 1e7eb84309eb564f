import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import type { ExecutionResult } from 'graphql';
import { type Execution, Executor } from '../../src/graphql/execution/executor.js';
import { RequestState } from '../../src/graphql/server/request-state.js';
import { RequestBounds } from '../../src/http/request-bounds.js';
import { ReplyVisit } from '../../src/response-cache/response-cache.js';

/** What was compared in this process. */
export const compared = {
  /** Queries that were executed by a plan and field by field, with the same result. */
  planned: 0,
  /** Of these, queries whose result has errors. */
  withErrors: 0,
  /** Queries and mutations that plans do not cover. */
  unplanned: 0,
  /** Queries whose data changed between the two: something else was at work. */
  moving: 0,
  /** Set by suites that count statements or break them, which a second execution would disturb. */
  paused: false,
};

const execute = Object.getOwnPropertyDescriptor(Executor.prototype, 'execute')?.value as Executor['execute'];

const record = Object.getOwnPropertyDescriptor(ReplyVisit.prototype, 'record')
  ?.value as typeof ReplyVisit.prototype.record;
/** The services of the process behind those of a recording, which a second execution must not add to. */
const unrecorded = new WeakMap<object, object>();
ReplyVisit.prototype.record = function recordAndRemember(this: ReplyVisit<unknown>, reads, services, time) {
  const recorded = record.call(this, reads, services, time) as typeof services;
  if (recorded !== services) unrecorded.set(recorded, services);
  return recorded;
};

/** Executes every query of a test in both ways; the request fails if the results differ in a byte. */
Executor.prototype.execute = async function executeInBothWays(this: Executor, execution: Execution) {
  const { context } = execution;
  if (compared.paused || !(context instanceof RequestState) || execution.operation?.operation !== 'query')
    return execute.call(this, execution);
  if (!this.covers(execution)) {
    compared.unplanned += 1;
    return execute.call(this, execution);
  }
  const result = await execute.call(this, execution);
  // A reply that ran out of time or of its bounds depends on how far it came.
  if (context.facts.signal?.aborted) return result;
  const text = textOf(result);
  const charged = context.charged;
  const other = renewed(context);
  if (textOf(await this.executeUnplanned({ ...execution, context: other })) !== text || other.charged !== charged) {
    // Where an agent is at work the data may have changed between the two.
    const [some, others] = [renewed(context), renewed(context)];
    const before = textOf(await this.executeUnplanned({ ...execution, context: some }));
    const planned = textOf(await execute.call(this, { ...execution, context: others }));
    const after = textOf(await this.executeUnplanned({ ...execution, context: renewed(context) }));
    if (before === after && (planned !== before || some.charged !== others.charged))
      throw new Error(
        `the plan of a query gives another result:\n${planned}\n${before}\n${some.charged} ${others.charged}`,
      );
    compared.moving += 1;
  }
  compared.planned += 1;
  if (result.errors) compared.withErrors += 1;
  report();
  return result;
};

/** The state of the same request before anything was read, with bounds of its own. */
function renewed(state: RequestState): RequestState {
  const services = (unrecorded.get(state.services) as RequestState['services'] | undefined) ?? state.services;
  const { facts } = state;
  const { signal = new AbortController().signal } = facts;
  const bounds = new RequestBounds(services, signal);
  return new RequestState(bounds.context(facts), bounds);
}

/**
 * Keys in their order; of errors what a reply can show, and how they are told apart from ours. Of two fields that are
 * read side by side either may fail first.
 */
const textOf = ({ data, errors }: ExecutionResult) =>
  JSON.stringify({
    data,
    errors: errors
      ?.map((error) =>
        JSON.stringify({ ...error.toJSON(), cause: error.originalError?.name, nodes: error.nodes?.length }),
      )
      .sort(),
  });

/** The counts of each process are written to a file of its own, whose name begins with the value of this variable. */
function report(): void {
  const name = process.env['GRAPHQL_CHECK_REPORT'];
  if (name) writeFileSync(`${name}.${process.pid}`, `${JSON.stringify(compared)}\n`);
}
