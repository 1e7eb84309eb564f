import type { ApolloServerPlugin } from '@apollo/server';
import { type FragmentDefinitionNode, GraphQLError, Kind, getVariableValues } from 'graphql';
import { actualCost, type CostedOperation, edgeKeys, requestedCost } from './cost.js';
import type { RequestState } from '../request-state.js';

/** Measures each operation before it runs and refuses what exceeds the ceiling (GRAPHQL_COST_LIMIT; 0 is none). */
export const costPlugin: ApolloServerPlugin<RequestState> = {
  async requestDidStart() {
    let costed: CostedOperation | undefined;
    return {
      async didResolveOperation({ schema, document, operation, request, contextValue }) {
        if (!operation) return;
        const given = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {});
        // Wrong variables are refused by the execution that follows, in its own words.
        if (given.errors) return;
        const fragments = Object.fromEntries(
          document.definitions.filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]),
        );
        const measured = { schema, operation, fragments, variables: given.coerced };
        costed = measured;
        const cost = requestedCost(measured);
        contextValue.stats.requestedComplexity = Number.isFinite(cost) ? cost : Number.MAX_SAFE_INTEGER;
        const ceiling = contextValue.ceiling;
        if (ceiling > 0 && cost > ceiling) {
          throw new GraphQLError(`Query has complexity of ${contextValue.stats.requestedComplexity}, which exceeds max complexity of ${ceiling}`, {
            extensions: { code: 'COMPLEXITY_LIMIT_EXCEEDED' },
          });
        }
      },
      async willSendResponse({ response, contextValue }) {
        if (!costed || response.body.kind !== 'single') return;
        contextValue.stats.actualComplexity = actualCost(response.body.singleResult.data, edgeKeys(costed));
      },
    };
  },
};
