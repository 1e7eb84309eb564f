import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { Executor } from './executor.js';

type Gateway = ApolloServerOptionsWithGateway<never>['gateway'];

/** Hands Apollo our schema and our executor: a gateway is the place where it takes another executor than graphql-js. */
export function gatewayOf(schema: GraphQLSchema, executor: Pick<Executor, 'execute'>): Gateway {
  return {
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: async () => ({
      executor: ({ document, queryHash, operation, request, context }) =>
        executor.execute({
          document,
          documentHash: queryHash,
          operation,
          operationName: request.operationName,
          variables: request.variables,
          context,
        }),
    }),
    stop: async () => undefined,
  };
}
