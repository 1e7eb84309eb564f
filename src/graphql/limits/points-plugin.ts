import type { ApolloServerPlugin } from '@apollo/server';
import { type FragmentDefinitionNode, getVariableValues, GraphQLError, Kind } from 'graphql';
import { dear } from './dear.js';
import { Activity } from '../../services/activity.js';
import type { RequestState } from '../server/request-state.js';
import type { Payer, PointBudgets, PointsLeft } from '../../resources/installation/rate-limits/point-budgets.js';
import { namedOrganization } from './points.js';

/**
 * Refuses an operation if the user or the organization has spent its points of five minutes, and deducts the actual
 * cost afterwards. Must come after the cost plugin, which measures it.
 */
export function pointsPlugin(budgets: PointBudgets): ApolloServerPlugin<RequestState> {
  return {
    async requestDidStart() {
      let payer: Payer | null = null;
      return {
        async didResolveOperation({ schema, document, operation, request, contextValue }) {
          if (!operation || contextValue.actor.kind !== 'user') return;
          const coercion = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {});
          const fragments = Object.fromEntries(
            document.definitions
              .filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
              .map((each) => [each.name.value, each]),
          );
          const slug = coercion.errors
            ? null
            : namedOrganization({ schema, operation, fragments, variables: coercion.coerced });
          const { userId, roles } = contextValue.actor;
          payer = { userId, organizationId: await organizationOf(contextValue, slug, [...roles.keys()]) };
          const { organization, user } = Object.assign(contextValue.bill, budgets.left(payer));
          const empty = [organization, user].find((left) => left !== null && left.remaining <= 0);
          if (empty) throw refusal(contextValue, empty);
        },
        async willSendResponse({ contextValue }) {
          if (!payer || contextValue.bill.retryAfter !== null) return;
          const points = workOf(contextValue);
          Activity.of(contextValue.services).graphqlPoints += points;
          Object.assign(contextValue.bill, await budgets.spend(payer, points));
        },
      };
    },
  };
}

/**
 * Returns the points to deduct. An aborted operation has little data in its reply, so its database reads count instead.
 */
function workOf({ stats, facts, reads }: RequestState): number {
  return facts.signal?.aborted ? Math.max(stats.actualComplexity, reads * dear.ownStatements) : stats.actualComplexity;
}

function refusal(state: RequestState, { limit, reset }: PointsLeft): GraphQLError {
  state.bill.retryAfter = reset;
  return new GraphQLError(
    `You have exceeded the limit of ${limit} complexity points. Please try again in ${reset} seconds.`,
    { extensions: { code: 'RATE_LIMITED' } },
  );
}

/**
 * Returns the id of the organization that pays: the only one of the user, or the named one if the user is a member,
 * else null.
 */
async function organizationOf(
  state: RequestState,
  slug: string | null,
  memberOf: readonly string[],
): Promise<string | null> {
  if (memberOf.length <= 1) return memberOf[0] ?? null;
  if (slug === null) return null;
  const rows = await state.load.organization.loadMany(memberOf.slice(0, 1000));
  const organization = rows.find((row) => row && !(row instanceof Error) && (row.slug === slug || row.id === slug));
  return organization && !(organization instanceof Error) ? organization.id : null;
}
