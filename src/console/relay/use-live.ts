import { useMemo, useRef } from 'react';
import { useSubscription } from 'react-relay';
import type { GraphQLTaggedNode, OperationType, SelectorStoreUpdater } from 'relay-runtime';

/** Follows a subscription while the page is shown. What it brings is written into the store by Relay. */
export function useLive<S extends OperationType>(
  subscription: GraphQLTaggedNode,
  variables: S['variables'],
  {
    updater,
    onNext,
  }: { updater?: SelectorStoreUpdater<S['response']>; onNext?: (response: S['response']) => void } = {},
): void {
  const latest = useRef({ updater, onNext });
  latest.current = { updater, onNext };
  const key = JSON.stringify(variables);
  useSubscription<S>(
    useMemo(
      () => ({
        subscription,
        variables: JSON.parse(key) as S['variables'],
        updater: (store, response) => latest.current.updater?.(store, response),
        onNext: (response) => {
          if (response) latest.current.onNext?.(response);
        },
        // The page stays as it was read; the indicator in the bar tells that it is not live.
        onError: () => undefined,
      }),
      [key, subscription],
    ),
  );
}
