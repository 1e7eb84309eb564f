import { createHash } from 'node:crypto';
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { getHeapStatistics } from 'node:v8';
import type { UserActor } from '../../auth/actor.js';
import type { RequestFacts } from '../../request/context.js';
import { graphqlMemoryBytes } from '../../domain/limits/memory-bounds.js';
import { MemoryUses } from '../../services/memory-uses.js';
import { replyBytesOf } from '../../services/reply-bytes.js';
import type { Services } from '../../services/services.js';
import { EventFeed } from '../../event-stream/feed.js';
import { LogWatch } from '../../event-stream/log-watch.js';
import type { Credential } from '../server/authentication.js';
import { DocumentMemory } from '../server/document-memory.js';
import { formatError, ourFault } from '../server/errors.js';
import { executeCounted } from '../execution/counted-execution.js';
import { ReplySize, ReplyTooLarge, resultOf } from '../execution/reply-size.js';
import { requestedCost } from '../limits/cost.js';
import { documentShapeRule, mostTokens } from '../limits/shape.js';
import type { GraphqlRequest } from '../server/request-body.js';
import { SubscriptionContext, type SubscriptionServices } from './subscription-context.js';
import { SharedWork } from './shared-work.js';
import type { UpdateValue } from './streams.js';
import { SubscriptionCount } from './subscription-count.js';

/** Caller of a subscription, with the credential to authenticate it again. */
export interface Subscriber {
  actor: UserActor;
  credential: Credential;
  facts: Pick<RequestFacts, 'requestId' | 'ipAddress' | 'userAgent'>;
}

/** A validated subscription. */
export type PreparedSubscription = ExecutionArgs & { contextValue: SubscriptionContext };

/** How long followers who are a little behind take the result of those who were first. */
const sharedForMs = 1_000;

const refused = (message: string, code: string) => new GraphQLError(message, { extensions: { code } });

/**
 * Runs subscriptions of every transport. Applies the limits of all operations, and turns a failure into a last message,
 * so that a client learns why its stream ended and from which cursor to resume.
 */
export class SubscriptionServer {
  private readonly documents = new DocumentMemory(
    graphqlMemoryBytes(getHeapStatistics().heap_size_limit).graphql_subscriptions,
  );
  private readonly drainControl = new AbortController();
  private readonly live: SubscriptionServices;

  constructor(
    private readonly services: Services,
    private readonly schema: GraphQLSchema,
  ) {
    MemoryUses.of(services).add('graphql_subscriptions', () => this.documents.use());
    this.live = {
      services,
      feed: new EventFeed(services),
      logs: new LogWatch(services),
      count: new SubscriptionCount(),
      shared: new SharedWork(),
      draining: this.drainControl.signal,
    };
  }

  /** Parses and validates a document, which is kept: a thousand followers ask with the same one. */
  private read(query: string): DocumentNode | readonly GraphQLError[] {
    const document = parsed(query);
    if (document instanceof GraphQLError) return [document];
    const errors = validate(this.schema, document, [...specifiedRules, documentShapeRule], {
      hideSuggestions: process.env['NODE_ENV'] === 'production',
    });
    if (errors.length > 0) return errors.map((error) => refused(error.message, 'GRAPHQL_VALIDATION_FAILED'));
    this.documents.keep(query, document);
    return document;
  }

  /** Validates a request and returns the subscription to run, or the errors that refuse it. */
  prepare(
    { query, variables, operationName }: GraphqlRequest,
    { actor, credential, facts }: Subscriber,
  ): PreparedSubscription | readonly GraphQLError[] {
    const document = this.documents.find(query) ?? this.read(query);
    if (!('kind' in document)) return document;
    const operation = getOperationAST(document, operationName);
    if (!operation)
      return [
        refused(
          'The document has no operation of that name, or more than one and no name was given',
          'OPERATION_RESOLUTION_FAILURE',
        ),
      ];
    if (operation.operation !== 'subscription')
      return [refused('Queries and mutations are sent with POST', 'BAD_USER_INPUT')];
    const coercion = getVariableValues(this.schema, operation.variableDefinitions ?? [], variables ?? {});
    if (coercion.errors) return coercion.errors.map((error) => refused(error.message, 'BAD_USER_INPUT'));
    const fragments = Object.fromEntries(
      document.definitions
        .filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
        .map((each) => [each.name.value, each]),
    );
    const cost = requestedCost({ schema: this.schema, operation, fragments, variables: coercion.coerced });
    const ceiling = this.services.limits.graphqlCost;
    if (ceiling > 0 && cost > ceiling)
      return [
        refused(
          `Query has complexity of ${cost}, which exceeds max complexity of ${ceiling}`,
          'COMPLEXITY_LIMIT_EXCEEDED',
        ),
      ];
    const question = createHash('sha256')
      .update(JSON.stringify([query, operationName, variables]))
      .digest('base64');
    const caller: RequestFacts = { actor, surface: 'graphql', ...facts };
    const contextValue = new SubscriptionContext(this.live, caller, credential, question);
    return {
      schema: this.schema,
      document,
      contextValue,
      variableValues: variables ?? null,
      operationName: operationName ?? null,
    };
  }

  /** Runs a subscription. Errors are results; if the stream itself fails, the last result has its error. */
  readonly subscribe = async (args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult>> => this.results(args);

  /** Ends every stream, so that clients resume on other replicas. */
  drain(): void {
    this.drainControl.abort();
  }

  wake(): void {
    this.live.feed.wake();
  }

  async stop(): Promise<void> {
    this.drain();
    await Promise.all([this.live.feed.stop(), this.live.logs.stop()]);
  }

  private results(args: ExecutionArgs): AsyncGenerator<ExecutionResult> {
    const context = args.contextValue as SubscriptionContext;
    const { requestId } = context.facts;
    let source: AsyncIterator<unknown> | null = null;
    let over = false;
    const next = async (): Promise<IteratorResult<ExecutionResult>> => {
      if (over) return { done: true, value: undefined };
      try {
        if (!source) {
          const begun = await createSourceEventStream(args);
          if (!(Symbol.asyncIterator in begun)) {
            over = true;
            return { done: false, value: this.maskErrors(begun, requestId) };
          }
          source = begun[Symbol.asyncIterator]();
        }
        const { done, value } = await source.next();
        if (!done) return { done: false, value: this.maskErrors(await this.execute(args, context, value), requestId) };
        over = true;
        return { done: true, value: undefined };
      } catch (error) {
        over = true;
        const wrapped =
          error instanceof GraphQLError
            ? error
            : new GraphQLError('The stream failed', { originalError: error as Error, path: [fieldOf(args)] });
        return { done: false, value: this.maskErrors({ errors: [wrapped] }, requestId) };
      }
    };
    const end = async (): Promise<IteratorResult<ExecutionResult>> => {
      over = true;
      await source?.return?.();
      return { done: true, value: undefined };
    };
    const generator = {
      next,
      return: end,
      throw: end,
      [Symbol.asyncIterator]: () => generator,
      [Symbol.asyncDispose]: async () => void (await end()),
    };
    return generator as unknown as AsyncGenerator<ExecutionResult>;
  }

  /**
   * Executes the document for one message. Followers with the same question and rights share the result: what it shows
   * was read after the message's event, and at most a second ago.
   */
  private execute(args: ExecutionArgs, context: SubscriptionContext, rootValue: unknown): Promise<ExecutionResult> {
    const most = replyBytesOf(this.services);
    const work = async () => {
      context.refresh();
      try {
        const size = new ReplySize(most);
        const result = await executeCounted(args.contextValue, size, () => execute({ ...args, rootValue }));
        return size.isExceeded ? resultOf(new ReplyTooLarge(most)) : result;
      } finally {
        context.refresh();
      }
    };
    const message = nameOfMessage(rootValue);
    if (message === null) return work();
    return this.live.shared.once(`message ${message} ${context.sameMessages}`, work, sharedForMs);
  }

  /** Formats the errors of a result like those of queries, and logs internal errors. */
  private maskErrors(result: ExecutionResult, requestId: string): ExecutionResult {
    if (!result.errors) return result;
    for (const error of result.errors) {
      const cause = ourFault(error);
      if (cause !== null)
        this.services.log.error(
          { request_id: requestId, path: error.path?.join('.'), err: cause },
          'a subscription failed',
        );
    }
    return { ...result, errors: result.errors.map((error) => withoutInside(error)) };
  }
}

/** Same for the messages about one event; null for the lines of a log, which each follower reads from where it is. */
function nameOfMessage(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || !('event' in message)) return null;
  const { cursor, event } = message as UpdateValue;
  return `${cursor} ${event?.id ?? 'none'}`;
}

/** Returns the response key of a subscription's field. */
function fieldOf({ document, operationName }: ExecutionArgs): string {
  const [field] = getOperationAST(document, operationName)?.selectionSet.selections ?? [];
  return field?.kind === Kind.FIELD ? (field.alias ?? field.name).value : '';
}

function parsed(query: string) {
  try {
    return parse(query, { maxTokens: mostTokens });
  } catch (error) {
    return refused(error instanceof Error ? error.message : 'The document cannot be read', 'GRAPHQL_PARSE_FAILED');
  }
}

/** Returns an error with only the fields that clients may see. */
export function withoutInside(error: GraphQLError): GraphQLError {
  const { message, path, extensions } = formatError(error.toJSON(), error);
  return new GraphQLError(message, { ...(path ? { path } : {}), ...(extensions ? { extensions } : {}) });
}
