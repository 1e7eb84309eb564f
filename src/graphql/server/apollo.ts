import { getHeapStatistics } from 'node:v8';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { actorFields } from '../../auth/actor.js';
import { graphqlMemoryBytes } from '../../domain/limits/memory-bounds.js';
import { MemoryUses } from '../../services/memory-uses.js';
import { replyBytesOf } from '../../services/reply-bytes.js';
import { PointBudgets } from '../../resources/installation/rate-limits/point-budgets.js';
import type { Logger, Services } from '../../services/services.js';
import { DocumentMemory } from './document-memory.js';
import { formatError, ourFault } from './errors.js';
import { type Execution, Executor } from '../execution/executor.js';
import { gatewayOf } from '../execution/gateway.js';
import { DirectResolvers } from '../execution/resolvers.js';
import { costPlugin } from '../limits/cost-plugin.js';
import { errorLimit } from '../limits/error-limit.js';
import { heavyPlugin } from '../limits/heavy-plugin.js';
import { pointsPlugin } from '../limits/points-plugin.js';
import { documentShapeRule, mostTokens } from '../limits/shape.js';
import { HeavyTurns } from '../limits/turns.js';
import { resolvers } from '../resolvers.js';
import type { RequestState } from './request-state.js';

/** The engine behind /graphql. Transport is `router.ts`: nothing here knows HTTP. */
export function createApollo(schema: GraphQLSchema, services: Services): ApolloServer<RequestState> {
  const { log } = services;
  const plain = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) => log[level]({}, String(message));
  const budgets = graphqlMemoryBytes(getHeapStatistics().heap_size_limit);
  const executor = new Executor(
    schema,
    new DirectResolvers(schema, resolvers),
    () => replyBytesOf(services),
    budgets.graphql_plans,
  );
  const documents = new DocumentMemory(budgets.graphql_documents);
  const memories = MemoryUses.of(services);
  memories.add('graphql_plans', () => executor.use());
  memories.add('graphql_documents', () => documents.use());
  return new ApolloServer<RequestState>({
    gateway: gatewayOf(schema, { execute: (execution) => executeOrTake(executor, execution) }),
    documentStore: documents,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    // Suggestions tell nothing that introspection does not.
    hideSchemaDetailsFromClientErrors: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    // The session cookie counts on requests from our own pages only (`authentication.ts`), so a foreign page has
    // nothing to forge a request with.
    csrfPrevention: false,
    stopOnTerminationSignals: false,
    validationRules: [documentShapeRule],
    parseOptions: { maxTokens: mostTokens },
    logger: { debug: plain('debug'), info: plain('info'), warn: plain('warn'), error: plain('error') },
    formatError,
    plugins: [
      // They measure or report fields, or would if the environment had variables of Apollo's.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      noSubscriptions,
      costPlugin,
      pointsPlugin(PointBudgets.of(services)),
      heavyPlugin(new HeavyTurns()),
      failureLog(log),
      errorLimit,
    ],
  });
}

/** Gives the executor the kept data of the operation, where there is any: its limits have been checked by then. */
function executeOrTake(executor: Executor, execution: Execution): Promise<ExecutionResult> {
  const state = execution.context as RequestState;
  if (state.kept) state.charge(state.kept.charged);
  return executor.execute({ ...execution, kept: state.kept?.text });
}

/** One reply cannot hold a subscription. */
const noSubscriptions: ApolloServerPlugin<RequestState> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation }) {
        if (operation?.operation === 'subscription')
          throw new GraphQLError('Subscriptions are sent over graphql-ws or as server-sent events', {
            extensions: { code: 'BAD_USER_INPUT' },
          });
      },
    };
  },
};

/** Logs internal errors in full, and adds the request id to the client's error. */
function failureLog(log: Logger): ApolloServerPlugin<RequestState> {
  return {
    async requestDidStart() {
      return {
        async didEncounterErrors({ errors, contextValue: { requestId, actor } }) {
          for (const error of errors) {
            const cause = ourFault(error);
            if (cause !== null)
              log.error(
                { request_id: requestId, ...actorFields(actor), path: error.path?.join('.'), err: cause },
                'a GraphQL field failed',
              );
          }
        },
        async willSendResponse({ response, contextValue: { requestId } }) {
          if (response.body.kind !== 'single') return;
          const { singleResult } = response.body;
          if (!singleResult.errors) return;
          singleResult.errors = singleResult.errors.map((error) =>
            error.extensions?.['code'] === 'INTERNAL_SERVER_ERROR'
              ? { ...error, extensions: { ...error.extensions, requestId } }
              : error,
          );
        },
      };
    },
  };
}
