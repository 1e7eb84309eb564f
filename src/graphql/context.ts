import { createHash } from 'node:crypto';
import type DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { listsPerStatement } from '../domain/limits/graphql-limits.js';
import { Problem } from '../domain/problem.js';
import { hasScope } from '../auth/has-scope.js';
import type { Scope } from '../domain/organizations/scopes.js';
import { Context, type IdempotencyClaim, type RequestFacts } from '../request/context.js';
import type { JobRow } from '../entities/database.js';
import { onTheWay, type Operation, perform } from '../core/operation.js';
import { type ParentId, QueryBatches, type ValuesByParent } from '../core/query-batches.js';
import type { Subject } from '../core/subject.js';
import { isOnlyNamed, isOnTheWay } from './execution/on-the-way.js';
import { slices } from './limits/slices.js';

/** Parents per batched statement, where it is not 500: builds and jobs are often listed inside lists. */
const mostParents: Record<string, number> = { buildIds: 1_000, jobIds: 1_000 };

/** Bytes of logs in one reply: they are in memory until it is sent. */
const mostLogBytes = 8 * 1024 * 1024;

/** Context of the resolvers of one request: performs operations, loads references, batches lists inside lists. */
export class GraphqlContext {
  private batches: QueryBatches | null = null;

  private logBytesLeft = mostLogBytes;

  /** Points of the resolved expensive fields. In an object, because Apollo copies the context shallowly. */
  protected readonly dearFields = { points: 0 };

  private idempotency: IdempotencyClaim | undefined;

  private mutations = 0;

  /** The caller and the request, known before `made` has made the context. */
  private known: RequestFacts;

  constructor(
    facts: RequestFacts,
    private made: Context | (() => Context),
  ) {
    this.known = facts;
  }

  private get request(): Context {
    if (typeof this.made === 'function') this.made = this.made();
    return this.made;
  }

  /**
   * Called before each mutation field; the fields run serially. The first field uses the idempotency key of the
   * request, each later field a key derived from it and the field's response name, which is the same when the request
   * is repeated.
   */
  enterMutation(responseName: string): void {
    const claim = this.facts.idempotency;
    this.idempotency =
      claim && this.mutations > 0
        ? { ...claim, key: `${claim.key}\n${createHash('sha256').update(responseName).digest('hex')}` }
        : claim;
    this.mutations += 1;
  }

  /** Charges `bytes` to the log budget of this reply; throws `too_large` when the budget is spent. */
  takeLogBytes(bytes: number): void {
    this.logBytesLeft -= bytes;
    if (this.logBytesLeft < 0)
      throw new Problem(
        'too_large',
        `One reply holds at most ${mostLogBytes} bytes of logs; read them one by one, or at their url`,
      );
  }

  /** Charges `points` for a field that costs more than the object it belongs to. */
  charge(points: number): void {
    this.dearFields.points += points;
  }

  /** Yields to other requests after a long time on the event loop; throws once the request is over. */
  async giveWay(): Promise<void> {
    await slices.next();
    this.facts.signal?.throwIfAborted();
  }

  /**
   * Does work of a millisecond or more in a turn of the event loop that has time for it. The work begins in the same
   * step as the time is looked at: hundreds of resolvers go on at once when their common statement returns.
   */
  async inTurn<Value>(work: () => Value): Promise<Value> {
    const turn = slices.next();
    if (turn) await turn;
    this.facts.signal?.throwIfAborted();
    return work();
  }

  get load() {
    return this.request.load;
  }

  get references() {
    return this.request.references;
  }

  get actor() {
    return this.known.actor;
  }

  get services() {
    return this.request.services;
  }

  get facts() {
    return this.known;
  }

  get baseUrl(): string {
    return this.request.services.baseUrl;
  }

  get now(): Date {
    return this.request.now;
  }

  /** Performs an operation; a Problem becomes an error at the field. */
  perform<Input, S extends Subject, Output>(operation: Operation<Input, S, Output>, input: unknown): Promise<Output> {
    return perform(operation, this.request, input);
  }

  /**
   * Performs a command and clears the caches, so that the payload shows the rows after it. `fieldNames` maps the
   * operation's input fields to the mutation's, for the field names in problems.
   */
  async command<Input, S extends Subject, Output>(
    operation: Operation<Input, S, Output>,
    input: unknown,
    fieldNames: Readonly<Record<string, string>> = {},
  ): Promise<Output> {
    const { services, request, db } = this.request;
    const claiming = new Context(services, { ...request, idempotency: this.idempotency }, db);
    const output = await perform(operation, claiming, input).catch((error: unknown) =>
      Promise.reject(renamed(error, fieldNames)),
    );
    this.forget();
    return output;
  }

  /** Performs a lookup; returns null, without an error, if the object is absent or hidden. */
  async find<Input, S extends Subject, Output>(
    operation: Operation<Input, S, Output>,
    input: unknown,
  ): Promise<Output | null> {
    return orNull(this.perform(operation, input));
  }

  /**
   * Performs a lookup as {@link find} does. A token without the operation's scope gets the object too where the field
   * is only on the way to fields that the token's scopes allow, and nothing of the object itself is selected but
   * identifiers.
   * @param typeNames types that the object may have, where the type of the field does not say it.
   */
  async reach<Input, S extends Subject, Output>(
    operation: Operation<Input, S, Output>,
    input: unknown,
    info: GraphQLResolveInfo,
    typeNames?: readonly string[],
  ): Promise<Output | null> {
    return this.find(this.passing(operation, info, typeNames), input);
  }

  /**
   * The query itself, or, for a field that is only on the way to what the token's scopes allow, the query without its
   * scope.
   */
  passing<Input, S extends Subject, Output>(
    operation: Operation<Input, S, Output>,
    info: GraphQLResolveInfo,
    typeNames?: readonly string[],
  ): Operation<Input, S, Output> {
    const holds = (scope: Scope | null) => this.hasScope(scope);
    return !holds(operation.scope) && isOnTheWay(info, holds, typeNames) ? onTheWay(operation) : operation;
  }

  /**
   * Performs a query for one of several parents. If it is performed for others at the same moment with the same
   * `input`, all of them take as many statements as one.
   * @param parent the part of the operation's input that addresses the parent, by ids. Of an operation for many parents
   *   it is the field for their ids, with one of them: the value is undefined for a hidden parent.
   */
  async performInBatch<Input, S extends Subject, Value>(
    operation: Operation<Input, S, ValuesByParent<Value>>,
    parent: ParentId<Input>,
    input?: object,
  ): Promise<Value | undefined>;
  async performInBatch<Input, S extends Subject, Output>(
    operation: Operation<Input, S, Output>,
    parent: object,
    input?: object,
  ): Promise<Output>;
  async performInBatch<Input, S extends Subject>(
    operation: Operation<Input, S, unknown>,
    parent: object,
    input: object = {},
  ): Promise<unknown> {
    this.batches ??= new QueryBatches(this.request, { schedule: dispatchBehind, size: parentsPerBatch });
    const output = await this.batches.perform(operation, parent, input);
    await this.giveWay();
    return output;
  }

  /**
   * Performs a lookup as {@link performInBatch} does; returns null, without an error, if the object is absent or
   * hidden.
   */
  async findInBatch<Input, S extends Subject, Output>(
    operation: Operation<Input, S, Output>,
    parent: object,
    input: object = {},
  ): Promise<Output | null> {
    return orNull(this.performInBatch<Input, S, Output>(operation, parent, input));
  }

  /** Caches a job that the reply shows already, so that later loads of it need no statement. */
  know(job: JobRow): void {
    this.request.know(job);
  }

  /**
   * Loads a referenced row; throws `scope_missing` if the token lacks the scope of the row's kind. With `info` the
   * token needs no scope to select identifiers of the row, which /v2 shows as part of the object that refers to it, nor
   * the fields `shown`, which it shows there too.
   */
  async loadReference<Row>(
    scope: Scope | null,
    loader: DataLoader<string, Row | null>,
    id: string | null,
    info?: GraphQLResolveInfo,
    shown: readonly string[] = [],
  ): Promise<Row | null> {
    if (id === null) return null;
    if (!this.hasScope(scope) && !(info && isOnlyNamed(info, shown))) this.requireScope(scope);
    return loader.load(id);
  }

  hasScope(scope: Scope | null): boolean {
    return hasScope(this.actor, scope, 'graphql');
  }

  requireScope(scope: Scope | null): void {
    if (this.hasScope(scope)) return;
    throw new Problem('scope_missing', `Your access token doesn't have the ${scope} scope`, {
      scope: scope ?? undefined,
    });
  }

  /**
   * A fresh context on the same database handle, which keeps the limits of the whole request; or what makes it when it
   * is needed.
   */
  protected renewed(facts: RequestFacts): Context | (() => Context) {
    return new Context(this.request.services, facts, this.request.db);
  }

  /** Clears the caches: everything is read again from here on. */
  protected forget(facts: RequestFacts = this.known): void {
    this.made = this.renewed(facts);
    this.known = facts;
    this.batches = null;
  }
}

/** The result of a lookup; null where the object is absent or hidden. */
async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

/** Parents of one statement: a page for each must be few enough rows to convert in one turn of the event loop. */
function parentsPerBatch(key: string, input: { paging?: { first?: number | null; last?: number | null } }): number {
  const page = input.paging?.first ?? input.paging?.last ?? 1;
  return listsPerStatement(page, mostParents[key] ?? 500);
}

/** Dispatches a batch once all resolvers that are ready have run, because later ones in the tick load the same kind. */
function dispatchBehind(dispatch: () => void): void {
  // As DataLoader does by default: after the promises that are settled now, and their continuations.
  const afterPromises = () => void Promise.resolve().then(() => process.nextTick(inTurn));
  // Several large batches may be due in the same tick; each takes its time on the event loop.
  const inTurn = () => {
    const turn = slices.next();
    if (turn) void turn.then(dispatch);
    else dispatch();
  };
  const turn = slices.behind();
  if (turn) void turn.then(afterPromises);
  else afterPromises();
}

/** Renames the fields of a Problem to the fields of the mutation's input; `tags.0` keeps its index. */
function renamed(error: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof Problem) || !error.details.fields) return error;
  const fields = error.details.fields.map(({ field, code }) => {
    const [first = '', ...rest] = field.split('.');
    return { field: [names[first] ?? first, ...rest].join('.'), code };
  });
  return new Problem(error.code, error.message, { ...error.details, fields });
}
