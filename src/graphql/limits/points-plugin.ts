import type { ApolloServerPlugin } from '@apollo/server';
import { type FragmentDefinitionNode, getVariableValues, GraphQLError, Kind } from 'graphql';
import type { RequestState } from '../request-state.js';
import { namedOrganization, type Payer, type PointBudgets, type PointsLeft } from './points.js';

/**
 * Refuses an operation of somebody who has spent the points of five minutes, and takes from them what it really cost
 * (graphql-facts 1.11). Comes after the cost plugin: that one measures.
 */
export function pointsPlugin(budgets: PointBudgets): ApolloServerPlugin<RequestState> {
  return {
    async requestDidStart() {
      let payer: Payer | null = null;
      return {
        async didResolveOperation({ schema, document, operation, request, contextValue }) {
          if (!operation || contextValue.actor.kind !== 'user') return;
          const given = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {});
          const fragments = Object.fromEntries(document.definitions.filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]));
          const slug = given.errors ? null : namedOrganization({ schema, operation, fragments, variables: given.coerced });
          const { userId, roles } = contextValue.actor;
          payer = { userId, organizationId: await organizationOf(contextValue, slug, [...roles.keys()]) };
          const { organization, user } = Object.assign(contextValue.bill, await budgets.left(payer));
          const empty = [organization, user].find((left) => left !== null && left.remaining <= 0);
          if (empty) throw refusal(contextValue, empty);
        },
        async willSendResponse({ contextValue }) {
          if (payer && contextValue.bill.retryAfter === null) Object.assign(contextValue.bill, await budgets.spend(payer, contextValue.stats.actualComplexity));
        },
      };
    },
  };
}

function refusal(state: RequestState, { limit, reset }: PointsLeft): GraphQLError {
  state.bill.retryAfter = reset;
  return new GraphQLError(`You have exceeded the limit of ${limit} complexity points. Please try again in ${reset} seconds.`, { extensions: { code: 'RATE_LIMITED' } });
}

/** A member's organization by its slug; of a member of one alone, that one. Strangers use up nobody's points. */
async function organizationOf(state: RequestState, slug: string | null, memberOf: readonly string[]): Promise<string | null> {
  if (memberOf.length <= 1) return memberOf[0] ?? null;
  if (slug === null) return null;
  const rows = await state.load.organization.loadMany(memberOf.slice(0, 1000));
  const found = rows.find((row) => row && !(row instanceof Error) && (row.slug === slug || row.id === slug));
  return found && !(found instanceof Error) ? found.id : null;
}
