import { createHash } from 'node:crypto';
import DataLoader from 'dataloader';
import { Problem } from '../domain/problem.js';
import { type Scope, scopeAllows } from '../domain/scopes.js';
import { Context, type IdempotencyClaim, type RequestFacts } from '../context.js';
import { type Operation, perform } from '../operations/operation.js';
import type { Subject } from '../operations/subject.js';

/** Parents one statement takes; of builds and jobs there are pages within pages. */
const mostParents: Record<string, number> = { buildIds: 10_000, jobIds: 10_000 };

/** Logs in one reply: they are in memory until it is sent. */
const mostLogBytes = 8 * 1024 * 1024;

/** What every resolver of one request works with: operations, references, and lists inside lists, batched. */
export class GraphqlContext {
  private batches = new Map<string, DataLoader<string, unknown>>();

  private logBytesLeft = mostLogBytes;

  private idempotency: IdempotencyClaim | undefined;

  private mutations = 0;

  constructor(private request: Context) {}

  /**
   * Says that a field of the mutation begins; they run one after another. A request's idempotency key covers every one
   * of them: the first takes it as it is, each later one with its response name, which is the same in a repetition.
   */
  enterMutation(responseName: string): void {
    const claim = this.facts.idempotency;
    this.idempotency = claim && this.mutations > 0 ? { ...claim, key: `${claim.key}\n${createHash('sha256').update(responseName).digest('hex')}` } : claim;
    this.mutations += 1;
  }

  /** Takes from what one reply may hold of logs; refuses where nothing is left of it. */
  takeLogBytes(bytes: number): void {
    this.logBytesLeft -= bytes;
    if (this.logBytesLeft < 0) throw new Problem('too_large', `One reply holds at most ${mostLogBytes} bytes of logs; read them one by one, or at their url`);
  }

  get load() {
    return this.request.load;
  }

  get actor() {
    return this.request.actor;
  }

  get services() {
    return this.request.services;
  }

  get facts() {
    return this.request.request;
  }

  get baseUrl(): string {
    return this.request.services.baseUrl;
  }

  get now(): Date {
    return this.request.now;
  }

  /** Carries out an operation; its problems reach the client as errors at the field. */
  perform<Input, S extends Subject, Output>(operation: Operation<Input, S, Output>, input: unknown): Promise<Output> {
    return perform(operation, this.request, input);
  }

  /**
   * Carries out a command. What was read before it is forgotten, so that the payload shows things as they
   * are now. Refusals name fields as the mutation's input calls them.
   */
  async command<Input, S extends Subject, Output>(operation: Operation<Input, S, Output>, input: unknown, fieldNames: Readonly<Record<string, string>> = {}): Promise<Output> {
    const { services, request, db } = this.request;
    const claiming = new Context(services, { ...request, idempotency: this.idempotency }, db);
    const output = await perform(operation, claiming, input).catch((error: unknown) => Promise.reject(renamed(error, fieldNames)));
    this.forget();
    return output;
  }

  /** A lookup: null for what is not there or hidden, without an error (promises.md, "One rule each"). */
  async find<Input, S extends Subject, Output>(operation: Operation<Input, S, Output>, input: unknown): Promise<Output | null> {
    try {
      return await this.perform(operation, input);
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return null;
      throw error;
    }
  }

  /**
   * What an operation that answers for many parents says about one: all that ask with the same input in one turn share
   * a statement. Undefined where it has nothing to say about that parent.
   */
  among<Input, Value>(operation: Operation<Input, Subject, { get(id: string): Value | undefined }>, key: keyof Input & string, id: string, input: object = {}): Promise<Value | undefined> {
    const name = `${operation.name} ${JSON.stringify(input)}`;
    let batch = this.batches.get(name) as DataLoader<string, Value | undefined> | undefined;
    if (!batch) {
      batch = new DataLoader<string, Value | undefined>(
        async (ids) => {
          const values = await this.perform(operation, { ...input, [key]: [...ids] });
          return ids.map((each) => values.get(each));
        },
        { maxBatchSize: mostParents[key] ?? 500 },
      );
      this.batches.set(name, batch as DataLoader<string, unknown>);
    }
    return batch.load(id);
  }

  /** Follows a reference to a thing of another kind than the one shown, which a token needs a scope of its own for. */
  async follow<Row>(scope: Scope | null, loader: DataLoader<string, Row | null>, id: string | null): Promise<Row | null> {
    if (id === null) return null;
    this.requireScope(scope);
    return loader.load(id);
  }

  hasScope(scope: Scope | null): boolean {
    return this.actor.kind !== 'user' || scopeAllows(this.actor.scopes, scope, 'graphql');
  }

  requireScope(scope: Scope | null): void {
    if (this.hasScope(scope)) return;
    throw new Problem('scope_missing', `Your access token doesn't have the ${scope} scope`, { scope: scope ?? undefined });
  }

  /** Everything read from here on is read anew. */
  protected forget(facts: RequestFacts = this.request.request): void {
    this.request = new Context(this.request.services, facts);
    this.batches = new Map();
  }
}

/** A refusal with its fields by the names the caller used; parts of a field (`tags.0`) keep their rest. */
function renamed(error: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof Problem) || !error.details.fields) return error;
  const fields = error.details.fields.map(({ field, code }) => {
    const [first = '', ...rest] = field.split('.');
    return { field: [names[first] ?? first, ...rest].join('.'), code };
  });
  return new Problem(error.code, error.message, { ...error.details, fields });
}
