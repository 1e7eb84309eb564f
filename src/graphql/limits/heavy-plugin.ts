import type { ApolloServerPlugin } from '@apollo/server';
import { limits } from '../../domain/limits/limits.js';
import type { RequestState } from '../server/request-state.js';
import type { HeavyTurns } from './turns.js';

/**
 * Makes an operation of at least `graphqlHeavyPoints` wait for its turn. Must come after the cost plugin, which
 * estimates the cost, and the points plugin, which may refuse.
 */
export function heavyPlugin(turns: HeavyTurns): ApolloServerPlugin<RequestState> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ contextValue }) {
          const { actor, stats, facts, turn } = contextValue;
          if (actor.kind !== 'user' || stats.requestedComplexity < limits.graphqlHeavyPoints) return;
          turn.end = await turns.take(actor.userId, facts.signal);
        },
      };
    },
  };
}
