import { z } from 'zod';
import type { Access } from '../auth/authorize.js';
import { hasScope } from '../auth/has-scope.js';
import type { Context } from '../request/context.js';
import { inTransaction } from '../database/transaction.js';
import { archivedProblem, type FieldProblem, Problem } from '../domain/problem.js';
import type { Scope } from '../domain/organizations/scopes.js';
import { inSpan } from '../tracing/tracing.js';
import { announce } from './announce.js';
import { recordAudit } from './audit.js';
import { finishTransaction } from './finish-transaction.js';
import { claimIdempotencyKey, storeReply, storeResult, notStored, type Reply } from './idempotency.js';
import { describeIssue } from './input-error.js';
import { authorizeReplay, holdersOf } from './replay.js';
import { storageProblem } from './storage-problem.js';
import { type AccessOf, authorizeSubject, type PipelineSubject, type Subject } from './subject.js';
import { unstorable, unstorableField } from '../domain/input-text.js';

/**
 * One verb of the product: name, scope, input, subject, access, run. Surfaces call {@link perform}; the executor owns
 * the order of the steps, so that no surface can forget one.
 */
export interface Operation<Input = unknown, S extends Subject = Subject, Output = unknown> {
  /** `noun.verb`: also the audit event, OpenAPI operationId, metric label and log field. */
  readonly name: string;
  /** One sentence for the generated documents. */
  readonly summary: string;
  /** A query changes nothing and runs without a transaction; a command runs in one, unless `inTransaction` is false. */
  readonly kind: 'query' | 'command';
  /**
   * False: a command whose single statements need no transaction around them, because each leaves a true state. It
   * records no events, sends no outbox messages through its context, and takes no idempotency key.
   */
  readonly inTransaction: boolean;
  /**
   * The operation that this one batches: it answers for many parents in one statement, for lists inside lists in
   * GraphQL. Its rules are those of the batched operation, which exists on both surfaces.
   */
  readonly batchOf: string | null;
  /**
   * Whether the rows of a query may be as of a moment ago, so that they are read on a replica where there is one: for
   * lists that people and programs look through. Subject and rights are always those of now.
   */
  readonly mayLag: (input: Input) => boolean;
  /** Null: any valid credential. */
  readonly scope: Scope | null;
  readonly access: Access;
  /** False: a command of a user leaves no audit row; say why beside it. */
  readonly audited: boolean;
  /** Form of a refused input on /v2: a list of fields, or one sentence. */
  readonly refusal: 'fields' | 'sentence';
  /**
   * Whether the reply is rendered after the commit because rendering may take long. A repeat that arrives before the
   * first reply is stored renders its own, with the state at that time.
   */
  readonly replyAfterCommit: boolean;
  readonly input: z.ZodType<Input>;
  /**
   * Whether users may run the command on an archived pipeline, which is read-only otherwise: it ends or deletes
   * something, or checks the state itself.
   */
  readonly onArchived: boolean;
  /** Whether input may contain text that PostgreSQL cannot store; the operation then replaces or refuses it itself. */
  readonly anyText: boolean;
  /**
   * Returns the problems of absent fields that only stored rows tell, for an input that the schema refuses: one refusal
   * names everything that is missing. `run` checks the same fields.
   */
  readonly alsoMissing: ((context: Context, raw: unknown) => Promise<FieldProblem[]>) | null;
  /** Finds the subject (and locks it in commands) within what the caller may see; null means hidden. */
  readonly subject: (context: Context, input: Input) => Promise<S | null>;
  /**
   * Checks rights that `access` cannot express; throws `forbidden`. Runs before `run`, and again when an idempotency
   * key repeats the request, so `run` must not check who the caller is.
   */
  readonly permit: ((context: Context, subject: S) => Promise<void> | undefined | void) | null;
  readonly run: (context: Context, input: Input, subject: S) => Promise<Output>;
  /** Called when a command was refused and its transaction is rolled back, for what must be known of the refusal. */
  readonly afterRefusal: ((context: Context, error: unknown) => Promise<void>) | null;
}

/** An operation as its file declares it. */
interface Definition<Schema extends z.ZodType, S extends Subject, Output, A extends Access> {
  name: string;
  summary: string;
  kind: 'query' | 'command';
  inTransaction?: boolean;
  batchOf?: string;
  mayLag?: true | ((input: z.output<Schema>) => boolean);
  scope: Scope | null;
  access: A;
  audited?: boolean;
  onArchived?: boolean;
  anyText?: boolean;
  replyAfterCommit?: boolean;
  refusal?: 'fields' | 'sentence';
  input: Schema;
  alsoMissing?: (context: Context, raw: unknown) => Promise<FieldProblem[]>;
  subject: (context: Context, input: z.output<Schema>) => Promise<S | null>;
  permit?: (context: Context, subject: NoInfer<S>) => Promise<void> | undefined | void;
  run: (context: Context, input: z.output<Schema>, subject: S) => Promise<Output>;
  afterRefusal?: (context: Context, error: unknown) => Promise<void>;
}

/**
 * Type of an operation whose access cannot be checked against its subject: a text, which nothing accepts as an
 * operation.
 */
export type UncheckableAccess<A extends Access> = `'${A}' cannot be checked against this subject`;

/** Declares an operation. Input keys are camelCase; surfaces only rename. */
export function defineOperation<Schema extends z.ZodType, S extends Subject, Output, A extends Access>(
  definition: Definition<Schema, S, Output, A>,
): A extends AccessOf<S> ? Operation<z.output<Schema>, S, Output> : UncheckableAccess<A> {
  const operation: Operation<z.output<Schema>, S, Output> = Object.freeze({
    audited: definition.kind === 'command',
    inTransaction: definition.kind === 'command',
    refusal: 'fields' as const,
    batchOf: null,
    onArchived: false,
    alsoMissing: null,
    anyText: false,
    permit: null,
    afterRefusal: null,
    replyAfterCommit: false,
    ...definition,
    mayLag: definition.mayLag === true ? () => true : (definition.mayLag ?? (() => false)),
    input: definition.input as unknown as z.ZodType<z.output<Schema>>,
  });
  return operation as A extends AccessOf<S> ? typeof operation : never;
}

/**
 * The same query without its scope, for a surface that has to pass an object on the way to what the caller's scopes
 * allow. The surface shows nothing of the output that the scope guards.
 */
export const onTheWay = <Input, S extends Subject, Output>(
  query: Operation<Input, S, Output>,
): Operation<Input, S, Output> => ({ ...query, scope: null });

// Operations of every input, subject and output are kept in one list; variance makes `unknown` unusable there.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyOperation = Operation<any, any, any>;

/**
 * Runs an operation: parses the input, begins, finds and locks the subject, authorizes, runs, writes events, outbox and
 * audit rows, commits. Throws {@link Problem} for every error of the caller; nothing has changed then.
 */
export async function perform<Input, S extends Subject, Output>(
  operation: Operation<Input, S, Output>,
  context: Context,
  input: unknown,
): Promise<Output> {
  const { output } = await execute(operation, context, input, null);
  return output as Output;
}

/**
 * Runs an operation and renders its reply inside the transaction, so that the first reply to a request with an
 * idempotency key is stored with its effect. A repeated request gets that reply, even if the data has changed since.
 */
export async function performAndRender<Input, S extends Subject, Output>(
  operation: Operation<Input, S, Output>,
  context: Context,
  input: unknown,
  render: (context: Context, output: Output) => Promise<Reply>,
): Promise<Reply> {
  const { output, reply, within } = await execute(operation, context, input, render);
  try {
    return reply ?? (await render(within, output as Output));
  } catch (error) {
    throw operation.kind === 'command' ? carriedOut(error) : error;
  }
}

/** The error of a reply that cannot be made after the commit, so that the caller must not try again. */
function carriedOut(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'too_large') return error;
  return new Problem('too_large', `The request was carried out, but its reply is too large. ${error.message}`);
}

/** The reply to be stored with the command; null for one that is too large, which is no reason to undo the command. */
async function replyOrNull(rendering: Promise<Reply>): Promise<Reply | null> {
  try {
    return await rendering;
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_large') return null;
    throw error;
  }
}

interface Execution<Output> {
  output: Output | undefined;
  reply: Reply | null;
  within: Context;
}

async function execute<Input, S extends Subject, Output>(
  operation: Operation<Input, S, Output>,
  context: Context,
  raw: unknown,
  render: ((context: Context, output: Output) => Promise<Reply>) | null,
): Promise<Execution<Output>> {
  const work = () => executeInSpan(operation, context, raw, render);
  if (operation.kind === 'query') return inSpan(spanOfOperation(operation, context), work);
  // What the request reads from here on shows its change.
  if (context.request.late) context.request.late.isOpen = false;
  const execution = await inSpan(spanOfOperation(operation, context), work);
  await noteWrite(context);
  return execution;
}

/** Has the next lists of an API token show what it has changed, whichever process answers them. */
async function noteWrite({ actor, services }: Context): Promise<void> {
  const { tokenWrites, db, log } = services;
  if (!tokenWrites || actor.kind !== 'user' || actor.apiTokenId === null) return;
  try {
    await tokenWrites.note(db, actor.apiTokenId);
  } catch (error) {
    // The change is made, and its caller is to learn that.
    log.warn({ err: error }, 'a change could not be noted: lists on the read replica may lack it for a moment');
  }
}

const spanOfOperation = ({ name, kind }: Pick<Operation, 'name' | 'kind'>, { actor, request }: Context) => ({
  name,
  attributes: {
    'slipway.operation.kind': kind,
    'slipway.surface': request.surface,
    'slipway.actor': actor.kind,
    'slipway.request_id': request.requestId,
  },
});

async function executeInSpan<Input, S extends Subject, Output>(
  operation: Operation<Input, S, Output>,
  context: Context,
  raw: unknown,
  render: ((context: Context, output: Output) => Promise<Reply>) | null,
): Promise<Execution<Output>> {
  requireScope(operation, context);
  if (!operation.inTransaction) {
    const input = parseInput(operation, raw);
    const { output, subject } = await runAuthorised(operation, context, input);
    if (operation.kind === 'query') rememberSubject(context, subject);
    return { output, reply: null, within: context };
  }
  // From here on the command is finished or rolled back, even if the request ends.
  context.request.signal?.throwIfAborted();
  const result = await inTransaction(
    context.services.db,
    operation.name,
    async (trx) => {
      const within = context.withDb(trx);
      const earlier = await claimIdempotencyKey(within, operation.name);
      if (earlier) {
        await authorizeReplay(operation, within, raw, { holders: earlier.holders, output: earlier.result });
        if (!earlier.isWhole && !(render && earlier.reply)) throw notStored();
        return {
          output: earlier.result as Output,
          reply: earlier.reply,
          within: context,
          sent: false,
          notifies: false,
          events: [],
          known: [],
        };
      }
      const { output, subject } = await runCommand(operation, within, raw);
      await finishTransaction(within);
      const sent = within.recorder.outbox.length > 0;
      const { events, known, notifies } = within.recorder;
      if (!within.request.idempotency) return { output, reply: null, within: context, sent, notifies, events, known };
      await storeResult(within, operation.name, output, holdersOf([output, subject]));
      const reply = render && !operation.replyAfterCommit ? await replyOrNull(render(within, output)) : null;
      if (reply) await storeReply(within, reply);
      return { output, reply, within: context, sent, notifies, events, known };
    },
    context.request.share,
  ).catch(async (error: unknown) => {
    await operation.afterRefusal?.(context, error);
    throw error;
  });
  // Only sent messages need dispatching: pings and heartbeats send none.
  if (result.sent) context.services.wake();
  if (result.notifies) context.services.wake('notifications');
  announce(context.services, result.events);
  context.recorder.known.push(...result.known);
  if (operation.replyAfterCommit && render && context.request.idempotency && !result.reply) {
    const reply = await render(context, result.output as Output);
    await storeReply(context, reply);
    return { ...result, reply };
  }
  return result;
}

/** What a command does within its transaction, up to what it recorded: parses, finds, authorizes, runs. */
export async function runCommand<Input, S extends Subject, Output>(
  operation: Operation<Input, S, Output>,
  within: Context,
  raw: unknown,
): Promise<{ output: Output; subject: S }> {
  const done = await runAuthorised(operation, within, await parseCommandInput(operation, within, raw));
  if (operation.audited) recordAudit(within, operation.name, [done.output, done.subject]);
  return done;
}

async function runAuthorised<Input, S extends Subject, Output>(
  operation: Operation<Input, S, Output>,
  context: Context,
  input: Input,
): Promise<{ output: Output; subject: S }> {
  const subject = await operation.subject(context, input);
  if (!subject) throw new Problem('not_found', 'Not Found');
  await authorizeSubject(context, subject, operation.access);
  await operation.permit?.(context, subject);
  refuseArchived(operation, context, subject);
  const reading = operation.kind === 'query' && operation.mayLag(input) ? context.aMomentAgo() : context;
  try {
    return { output: await operation.run(reading, input, subject), subject };
  } catch (error) {
    throw storageProblem(error, context.services);
  }
}

/** Throws `wrong_state` for a user's change of an archived pipeline. Jobs that still run report their ends. */
function refuseArchived(
  { kind, onArchived }: Pick<Operation, 'kind' | 'onArchived'>,
  { actor }: Context,
  { pipeline }: Subject,
): void {
  if (kind === 'command' && !onArchived && actor.kind === 'user' && pipeline?.archivedAt) throw archivedProblem();
}

/** Caches the subject of a query for its reply. The subject of a command may have changed since it was read. */
function rememberSubject(context: Context, subject: Subject): void {
  const { organization, pipeline } = subject as Partial<PipelineSubject>;
  if (organization) context.load.organization.prime(organization.id, organization);
  if (pipeline) context.references.pipeline.prime(pipeline.id, pipeline);
}

/** Throws where the caller is nobody, or the token has not the scope. */
export function requireScope(operation: Pick<Operation, 'scope' | 'access'>, context: Context): void {
  const { actor, request } = context;
  if (operation.access === 'anyone') return;
  if (actor.kind === 'anonymous') throw new Problem('unauthenticated', 'Authentication required');
  if (hasScope(actor, operation.scope, request.surface)) return;
  throw new Problem('scope_missing', `Your access token doesn't have the ${operation.scope} scope`, {
    scope: operation.scope ?? undefined,
  });
}

async function parseCommandInput<Input>(
  operation: Pick<Operation<Input>, 'input' | 'anyText' | 'alsoMissing'>,
  context: Context,
  raw: unknown,
): Promise<Input> {
  try {
    return parseInput(operation, raw);
  } catch (error) {
    if (!operation.alsoMissing || !(error instanceof Problem) || !error.details.fields) throw error;
    const { fields: refused } = error.details;
    const absent = await operation.alsoMissing(context, raw);
    const fields = [...refused, ...absent.filter(({ field }) => !refused.some((other) => other.field === field))];
    throw new Problem(error.code, error.message, { ...error.details, fields: fields.slice(0, problemsNamed) });
  }
}

function parseInput<Input>(operation: Pick<Operation<Input>, 'input' | 'anyText'>, raw: unknown): Input {
  const result = operation.input.safeParse(raw, { reportInput: true, error: describeIssue });
  if (result.success) return operation.anyText ? result.data : storable(result.data);
  throw new Problem('invalid', 'Validation Failed', { fields: fieldProblems(result.error) });
}

/** Throws `invalid`, naming the field, for text that PostgreSQL cannot store. */
function storable<Input>(input: Input): Input {
  const field = unstorableField(input);
  if (field === null) return input;
  throw new Problem('invalid', 'Validation Failed', { fields: [{ field, code: unstorable }] });
}

/** Problems that a refusal names: the rest of a long list of bad things is like its beginning. */
const problemsNamed = 100;

/** One problem per field; `missing` for a required field that is absent. */
function fieldProblems(error: z.ZodError): FieldProblem[] {
  const problems = new Map<string, string>();
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.');
    const missing = issue.code === 'invalid_type' && issue.input === undefined;
    if (!problems.has(field)) problems.set(field, missing ? 'missing' : issue.message);
  }
  return [...problems].slice(0, problemsNamed).map(([field, code]) => ({ field, code }));
}
