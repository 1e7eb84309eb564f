import { startTransition, useCallback, useEffect, useRef, useState } from 'react';

/** Many events of one moment read a page again once. */
const gathering = 400;

/** A `fetchKey` for useLazyLoadQuery, and what reads again soon; the page stays as it is meanwhile. */
export function useRefetchKey(): [number, () => void] {
  const [key, setKey] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refetch = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      startTransition(() => setKey((before) => before + 1));
    }, gathering);
  }, []);
  return [key, refetch];
}
