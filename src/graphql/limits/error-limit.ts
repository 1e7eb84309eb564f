import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import { limits } from '../../domain/limits/limits.js';
import type { RequestState } from '../server/request-state.js';

/** Shortens the list of errors: a deadline or a refused field may fail for each of a thousand rows. */
export const errorLimit: ApolloServerPlugin<RequestState> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response }) {
        if (response.body.kind !== 'single') return;
        const { singleResult } = response.body;
        if (singleResult.errors) singleResult.errors = firstErrors(singleResult.errors);
      },
    };
  },
};

/** Returns at most `graphqlErrors` errors; if some are left out, the last one counts them. */
function firstErrors(errors: readonly GraphQLFormattedError[]): readonly GraphQLFormattedError[] {
  const left = errors.length - limits.graphqlErrors;
  if (left <= 0) return errors;
  const last = errors[limits.graphqlErrors - 1];
  const more = {
    message: `${left + 1} more fields failed`,
    ...(last?.extensions ? { extensions: { code: last.extensions['code'] } } : {}),
  };
  return [...errors.slice(0, limits.graphqlErrors - 1), more];
}
