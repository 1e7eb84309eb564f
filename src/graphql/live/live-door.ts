import {
  type ExecutionArgs, type ExecutionResult, type FragmentDefinitionNode, getOperationAST, getVariableValues, GraphQLError, type GraphQLSchema, Kind, parse, specifiedRules,
  subscribe, validate,
} from 'graphql';
import type { UserActor } from '../../auth/actor.js';
import type { RequestFacts, Services } from '../../context.js';
import { EventFeed } from '../../operations/live/feed.js';
import { LogWatch } from '../../operations/live/log-watch.js';
import { formatError, ourFault } from '../errors.js';
import { requestedCost } from '../limits/cost.js';
import { documentShapeRule, mostTokens } from '../limits/shape.js';
import type { GraphqlRequest } from '../request-body.js';
import { LiveContext, type LiveServices } from './live-context.js';
import { SubscriptionCount } from './subscription-count.js';

/** Who sends a subscription, and by what. */
export interface Subscriber {
  actor: UserActor;
  authorization: string;
  facts: Pick<RequestFacts, 'requestId' | 'ipAddress' | 'userAgent'>;
}

/** A subscription that may begin. */
export type PreparedSubscription = ExecutionArgs & { contextValue: LiveContext };

const refused = (message: string, code: string) => new GraphQLError(message, { extensions: { code } });

/**
 * Subscriptions, whatever carries them: holds a document to the limits every operation is held to, runs it, and turns
 * what goes wrong into a last message, so that a client is told why its stream ended and where to go on.
 */
export class LiveDoor {
  private readonly drainControl = new AbortController();
  private readonly live: LiveServices;

  constructor(
    private readonly services: Services,
    private readonly schema: GraphQLSchema,
  ) {
    this.live = { services, feed: new EventFeed(services), logs: new LogWatch(services), count: new SubscriptionCount(), draining: this.drainControl.signal };
  }

  /** What to run, or why it is refused before it begins. */
  prepare({ query, variables, operationName }: GraphqlRequest, { actor, authorization, facts }: Subscriber): PreparedSubscription | readonly GraphQLError[] {
    const document = parsed(query);
    if (document instanceof GraphQLError) return [document];
    const errors = validate(this.schema, document, [...specifiedRules, documentShapeRule], { hideSuggestions: process.env['NODE_ENV'] === 'production' });
    if (errors.length > 0) return errors.map((error) => refused(error.message, 'GRAPHQL_VALIDATION_FAILED'));
    const operation = getOperationAST(document, operationName);
    if (!operation) return [refused('The document has no operation of that name, or more than one and no name was given', 'OPERATION_RESOLUTION_FAILURE')];
    if (operation.operation !== 'subscription') return [refused('Queries and mutations are sent with POST', 'BAD_USER_INPUT')];
    const given = getVariableValues(this.schema, operation.variableDefinitions ?? [], variables ?? {});
    if (given.errors) return given.errors.map((error) => refused(error.message, 'BAD_USER_INPUT'));
    const fragments = Object.fromEntries(document.definitions.filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]));
    const cost = requestedCost({ schema: this.schema, operation, fragments, variables: given.coerced });
    const ceiling = this.services.limits.graphqlCost;
    if (ceiling > 0 && cost > ceiling) return [refused(`Query has complexity of ${cost}, which exceeds max complexity of ${ceiling}`, 'COMPLEXITY_LIMIT_EXCEEDED')];
    const contextValue = new LiveContext(this.live, { actor, door: 'graphql', ...facts }, authorization);
    return { schema: this.schema, document, contextValue, variableValues: variables ?? null, operationName: operationName ?? null };
  }

  /** Runs a subscription; errors of every kind arrive as results, the last one where the stream itself failed. */
  readonly subscribe = async (args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult>> => this.results(args);

  /** Every stream ends, so that clients go elsewhere with their cursors. */
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
    const { requestId } = (args.contextValue as LiveContext).facts;
    let source: AsyncGenerator<ExecutionResult, void, void> | null = null;
    let over = false;
    const next = async (): Promise<IteratorResult<ExecutionResult>> => {
      if (over) return { done: true, value: undefined };
      try {
        if (!source) {
          const begun = await subscribe(args);
          if (!(Symbol.asyncIterator in begun)) {
            over = true;
            return { done: false, value: this.told(begun, requestId) };
          }
          source = begun;
        }
        const { done, value } = await source.next();
        if (!done) return { done: false, value: this.told(value as ExecutionResult, requestId) };
        over = true;
        return { done: true, value: undefined };
      } catch (error) {
        over = true;
        const wrapped = error instanceof GraphQLError ? error : new GraphQLError('The stream failed', { originalError: error as Error, path: [fieldOf(args)] });
        return { done: false, value: this.told({ errors: [wrapped] }, requestId) };
      }
    };
    const end = async (): Promise<IteratorResult<ExecutionResult>> => {
      over = true;
      await source?.return();
      return { done: true, value: undefined };
    };
    const generator = { next, return: end, throw: end, [Symbol.asyncIterator]: () => generator, [Symbol.asyncDispose]: async () => void (await end()) };
    return generator as unknown as AsyncGenerator<ExecutionResult>;
  }

  /** A result with its errors as clients see them everywhere; what is our fault is logged. */
  private told(result: ExecutionResult, requestId: string): ExecutionResult {
    if (!result.errors) return result;
    for (const error of result.errors) {
      const cause = ourFault(error);
      if (cause !== null) this.services.log.error({ err: cause, requestId, path: error.path?.join('.') }, 'a subscription failed');
    }
    return { ...result, errors: result.errors.map((error) => withoutInside(error)) };
  }
}

/** The one field of a subscription, by the name it answers under. */
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

/** An error that carries nothing but what clients are told. */
export function withoutInside(error: GraphQLError): GraphQLError {
  const { message, path, extensions } = formatError(error.toJSON(), error);
  return new GraphQLError(message, { ...(path ? { path } : {}), ...(extensions ? { extensions } : {}) });
}
