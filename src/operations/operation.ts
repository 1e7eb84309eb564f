import { z } from 'zod';
import type { Access } from '../auth/authorize.js';
import type { Context } from '../context.js';
import { inTransaction } from '../database/transaction.js';
import { type FieldProblem, Problem } from '../domain/problem.js';
import { type Scope, scopeAllows } from '../domain/scopes.js';
import { writeAudit } from './audit.js';
import { concludeTransaction } from './conclude-transaction.js';
import { claimIdempotencyKey, keepReply, keepResult, type Reply } from './idempotency.js';
import type { Subject } from './subject.js';
import { authorizeSubject } from './subject.js';

/**
 * One verb of the product, declared once: name, scope, input, subject, access, run. Surfaces call {@link perform};
 * the executor owns the order of everything, so that no surface can forget a step.
 */
export interface Operation<Input = unknown, S extends Subject = Subject, Output = unknown> {
  /** `noun.verb`: also the audit event, OpenAPI operationId, metric label and log field. */
  readonly name: string;
  /** One sentence for the generated documents. */
  readonly summary: string;
  /** A query changes nothing and runs without a transaction; a command runs in one. */
  readonly kind: 'query' | 'command';
  /**
   * The operation of which this answers a part for many parents in one statement: asked where lists are nested, so by
   * the schema alone. Its rules are that operation's, which has both doors.
   */
  readonly batchOf: string | null;
  /** Null: any valid credential. */
  readonly scope: Scope | null;
  readonly access: Access;
  /** Commands of users leave an audit row unless they say why not. */
  readonly audited: boolean;
  /** How a refusal of the input reads on /v2 (api-v2.md, Errors): a list of fields, or one sentence. */
  readonly refusal: 'fields' | 'sentence';
  readonly input: z.ZodType<Input>;
  /** Finds (commands: and locks) the thing acted on, inside what the caller may see; null means hidden. */
  readonly subject: (context: Context, input: Input) => Promise<S | null>;
  readonly run: (context: Context, input: Input, subject: S) => Promise<Output>;
}

type Definition<Schema extends z.ZodType, S extends Subject, Output> = Omit<
  Operation<z.output<Schema>, S, Output>,
  'input' | 'audited' | 'refusal' | 'batchOf'
> & { input: Schema; audited?: boolean; refusal?: 'fields' | 'sentence'; batchOf?: string };

/** Declares an operation. Input keys are camelCase; surfaces only rename. */
export function defineOperation<Schema extends z.ZodType, S extends Subject, Output>(
  definition: Definition<Schema, S, Output>,
): Operation<z.output<Schema>, S, Output> {
  return Object.freeze({
    audited: definition.kind === 'command',
    refusal: 'fields' as const,
    batchOf: null,
    ...definition,
    input: definition.input as unknown as z.ZodType<z.output<Schema>>,
  });
}

// Operations of every input, subject and output are kept in one list; variance makes `unknown` unusable there.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyOperation = Operation<any, any, any>;

/**
 * Carries out an operation: parse, begin, find and lock the subject, authorise, run, write events, outbox and audit
 * rows, commit. Throws {@link Problem} for everything that is the caller's doing; nothing is then changed.
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
 * The same, and renders the reply inside the transaction, so that a request with an idempotency key has its first
 * reply stored with its effect: a repetition gets that reply, whatever happened in between.
 */
export async function performAndRender<Input, S extends Subject, Output>(
  operation: Operation<Input, S, Output>,
  context: Context,
  input: unknown,
  render: (context: Context, output: Output) => Promise<Reply>,
): Promise<Reply> {
  const { output, reply, within } = await execute(operation, context, input, render);
  return reply ?? render(within, output as Output);
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
  requireScope(operation, context);
  if (operation.kind === 'query') {
    const input = parseInput(operation, raw);
    return { output: (await runAuthorised(operation, context, input)).output, reply: null, within: context };
  }
  const result = await inTransaction(context.services.db, operation.name, async (trx) => {
    const within = context.withDb(trx);
    const earlier = await claimIdempotencyKey(within, operation.name);
    if (earlier) return { output: earlier.result as Output, reply: earlier.reply, within: context, sent: false };
    const { output, subject } = await runAuthorised(operation, within, parseInput(operation, raw));
    if (operation.audited) await writeAudit(within, operation.name, [output, subject]);
    await concludeTransaction(within);
    const sent = within.recorder.outbox.length > 0;
    if (!within.request.idempotency) return { output, reply: null, within: context, sent };
    await keepResult(within, operation.name, output);
    const reply = render ? await render(within, output) : null;
    if (reply) await keepReply(within, reply);
    return { output, reply, within: context, sent };
  });
  // Only what was sent needs anybody's attention: pings and heartbeats send nothing.
  if (result.sent) context.services.wake();
  return result;
}

async function runAuthorised<Input, S extends Subject, Output>(operation: Operation<Input, S, Output>, context: Context, input: Input): Promise<{ output: Output; subject: S }> {
  const subject = await operation.subject(context, input);
  if (!subject) throw new Problem('not_found', 'Not Found');
  await authorizeSubject(context, subject, operation.access);
  return { output: await operation.run(context, input, subject), subject };
}

function requireScope(operation: Pick<Operation, 'scope' | 'access'>, context: Context): void {
  const { actor, request } = context;
  if (operation.access === 'anyone') return;
  if (actor.kind === 'anonymous') throw new Problem('unauthenticated', 'Authentication required');
  if (actor.kind !== 'user' || scopeAllows(actor.scopes, operation.scope, request.door)) return;
  throw new Problem('scope_missing', `Your access token doesn't have the ${operation.scope} scope`, { scope: operation.scope ?? undefined });
}

function parseInput<Input>(operation: Pick<Operation<Input>, 'input'>, raw: unknown): Input {
  const result = operation.input.safeParse(raw, { reportInput: true });
  if (result.success) return result.data;
  throw new Problem('invalid', 'Validation Failed', { fields: fieldProblems(result.error) });
}

/** One entry a field, `missing` for what is required and absent (rest-facts 1.4). */
function fieldProblems(error: z.ZodError): FieldProblem[] {
  const problems = new Map<string, string>();
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.');
    const missing = issue.code === 'invalid_type' && issue.input === undefined;
    if (!problems.has(field)) problems.set(field, missing ? 'missing' : issue.message);
  }
  return [...problems].map(([field, code]) => ({ field, code }));
}
