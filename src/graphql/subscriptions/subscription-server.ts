import {
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
  subscribe,
  validate,
} from 'graphql';
import type { UserActor } from '../../auth/actor.js';
import type { RequestFacts } from '../../context.js';
import type { Services } from '../../services.js';
import { EventFeed } from '../../event-stream/feed.js';
import { LogWatch } from '../../event-stream/log-watch.js';
import { formatError, ourFault } from '../server/errors.js';
import { requestedCost } from '../limits/cost.js';
import { documentShapeRule, mostTokens } from '../limits/shape.js';
import type { GraphqlRequest } from '../server/request-body.js';
import { SubscriptionContext, type SubscriptionServices } from './subscription-context.js';
import { SubscriptionCount } from './subscription-count.js';

/** Caller of a subscription, with the Authorization header to authenticate it again. */
export interface Subscriber {
  actor: UserActor;
  authorization: string;
  facts: Pick<RequestFacts, 'requestId' | 'ipAddress' | 'userAgent'>;
}

/** A validated subscription. */
export type PreparedSubscription = ExecutionArgs & { contextValue: SubscriptionContext };

const refused = (message: string, code: string) => new GraphQLError(message, { extensions: { code } });

/**
 * Runs subscriptions of every transport. Applies the limits of all operations, and turns a failure into a last message, so that a
 * client learns why its stream ended and from which cursor to resume.
 */
export class SubscriptionServer {
  private readonly drainControl = new AbortController();
  private readonly live: SubscriptionServices;

  constructor(
    private readonly services: Services,
    private readonly schema: GraphQLSchema,
  ) {
    this.live = {
      services,
      feed: new EventFeed(services),
      logs: new LogWatch(services),
      count: new SubscriptionCount(),
      draining: this.drainControl.signal,
    };
  }

  /** Validates a request and returns the subscription to run, or the errors that refuse it. */
  prepare(
    { query, variables, operationName }: GraphqlRequest,
    { actor, authorization, facts }: Subscriber,
  ): PreparedSubscription | readonly GraphQLError[] {
    const document = parsed(query);
    if (document instanceof GraphQLError) return [document];
    const errors = validate(this.schema, document, [...specifiedRules, documentShapeRule], {
      hideSuggestions: process.env['NODE_ENV'] === 'production',
    });
    if (errors.length > 0) return errors.map((error) => refused(error.message, 'GRAPHQL_VALIDATION_FAILED'));
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
    const contextValue = new SubscriptionContext(this.live, { actor, surface: 'graphql', ...facts }, authorization);
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
    const { requestId } = (args.contextValue as SubscriptionContext).facts;
    let source: AsyncGenerator<ExecutionResult, void, void> | null = null;
    let over = false;
    const next = async (): Promise<IteratorResult<ExecutionResult>> => {
      if (over) return { done: true, value: undefined };
      try {
        if (!source) {
          const begun = await subscribe(args);
          if (!(Symbol.asyncIterator in begun)) {
            over = true;
            return { done: false, value: this.maskErrors(begun, requestId) };
          }
          source = begun;
        }
        const { done, value } = await source.next();
        if (!done) return { done: false, value: this.maskErrors(value as ExecutionResult, requestId) };
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
      await source?.return();
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
