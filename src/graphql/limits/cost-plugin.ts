import type { ApolloServerPlugin } from '@apollo/server';
import { type FragmentDefinitionNode, GraphQLError, Kind, getVariableValues } from 'graphql';
import { actualPoints, costOf, type CostedOperation, edgeKeys, requestedCost } from './cost.js';
import type { RequestState } from '../server/request-state.js';

/**
 * Estimates the cost of each operation and refuses it above `ceiling` points (GRAPHQL_COST_LIMIT; 0 disables the
 * limit).
 */
export const costPlugin: ApolloServerPlugin<RequestState> = {
  async requestDidStart() {
    let costed: CostedOperation | undefined;
    return {
      async didResolveOperation({ schema, document, operation, request, contextValue }) {
        if (!operation) return;
        const coercion = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {});
        // The execution that follows reports invalid variables.
        if (coercion.errors) return;
        const fragments = Object.fromEntries(
          document.definitions
            .filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
            .map((each) => [each.name.value, each]),
        );
        const measured = { schema, operation, fragments, variables: coercion.coerced };
        costed = measured;
        const cost = requestedCost(measured);
        contextValue.stats.requestedComplexity = Number.isFinite(cost) ? cost : Number.MAX_SAFE_INTEGER;
        const ceiling = contextValue.ceiling;
        if (ceiling > 0 && cost > ceiling) {
          throw new GraphQLError(
            `Query has complexity of ${contextValue.stats.requestedComplexity}, which exceeds max ` +
              `complexity of ${ceiling}`,
            {
              extensions: { code: 'COMPLEXITY_LIMIT_EXCEEDED' },
            },
          );
        }
      },
      async willSendResponse({ response, contextValue }) {
        if (!costed || response.body.kind !== 'single') return;
        Object.assign(contextValue.cost, costOf(response.body.singleResult.data, edgeKeys(costed)));
        contextValue.stats.actualComplexity = actualPoints(contextValue.cost, contextValue.charged);
      },
    };
  },
};
