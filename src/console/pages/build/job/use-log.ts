import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { graphql } from 'react-relay';
import { requestSubscription } from 'relay-runtime';
import type { useLogSubscription } from '../../../__generated__/useLogSubscription.graphql';
import { environment } from '../../../relay/environment';
import { LogSource } from './log-source';

const added = graphql`
  subscription useLogSubscription($job: ID!, $after: String) {
    jobLog(id: $job, after: $after) {
      cursor
      content
      finished
    }
  }
`;

/** The log of a job: read where it is looked at, and followed from where it ended while the job runs. */
export function useLog(job: string, running: boolean): { log: LogSource; error: Error | null; version: number } {
  const log = useMemo(() => new LogSource(job), [job]);
  const version = useSyncExternalStore(log.subscribe, () => log.version);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    let stopped = false;
    let stop: (() => void) | undefined;
    const follow = async () => {
      try {
        await log.open();
      } catch (problem) {
        setError(problem as Error);
        return;
      }
      if (stopped || !running) return;
      const { dispose } = requestSubscription<useLogSubscription>(environment, {
        subscription: added,
        variables: { job, after: String(log.index?.size ?? 0) },
        onNext: (response) => {
          if (response) log.append(response.jobLog.content);
        },
        onError: () => undefined,
      });
      stop = dispose;
    };
    void follow();
    return () => {
      stopped = true;
      stop?.();
    };
  }, [job, log, running]);
  return { log, error, version };
}
