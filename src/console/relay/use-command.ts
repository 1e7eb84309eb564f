import { useCallback, useState } from 'react';
import { useMutation, type UseMutationConfig } from 'react-relay';
import type { GraphQLTaggedNode, MutationParameters } from 'relay-runtime';
import { showToast } from '../ui/toast';
import { GraphqlError } from './graphql-error';

export interface Command<M extends MutationParameters> {
  /** Sends the mutation; answers null when it was refused, and says why in a toast unless `quiet`. */
  run: (variables: M['variables'], config?: Partial<UseMutationConfig<M>>) => Promise<M['response'] | null>;
  pending: boolean;
  error: GraphqlError | null;
  clear: () => void;
}

/** A mutation as a button or form needs it. `quiet`: the form shows the error beside its fields. */
export function useCommand<M extends MutationParameters>(
  mutation: GraphQLTaggedNode,
  { quiet = false }: { quiet?: boolean } = {},
): Command<M> {
  const [commit, pending] = useMutation<M>(mutation);
  const [error, setError] = useState<GraphqlError | null>(null);
  const run = useCallback(
    (variables: M['variables'], config: Partial<UseMutationConfig<M>> = {}) =>
      new Promise<M['response'] | null>((resolve) => {
        setError(null);
        commit({
          ...config,
          variables,
          onCompleted: (response) => resolve(response),
          onError: (problem) => {
            const failure = problem instanceof GraphqlError ? problem : new GraphqlError(problem.message, 'INTERNAL');
            setError(failure);
            if (!quiet) showToast({ text: failure.message, tone: 'bad' });
            resolve(null);
          },
        });
      }),
    [commit, quiet],
  );
  return { run, pending, error, clear: useCallback(() => setError(null), []) };
}
