import { useDeferredValue, useMemo } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { useCriticalPathQuery } from '../../../__generated__/useCriticalPathQuery.graphql';
import type { JobView } from './job-view';

const document = graphql`
  query useCriticalPathQuery($build: ID!) {
    node(id: $build) {
      ... on Build {
        criticalPath {
          duration
          running
          waitingForAgent
          waitingForConcurrency
          waitingForPerson
          path {
            job {
              ... on JobInterface {
                uuid
              }
            }
          }
        }
      }
    }
  }
`;

/** Seconds of a build by what it was doing, and the UUIDs of the jobs that made it no shorter. */
export function useCriticalPath(buildId: string, jobs: readonly JobView[]) {
  // Each job that begins or ends may change the path: the page stays as it is until the next one is there.
  const fetchKey = useDeferredValue(
    jobs.filter(({ startedAt }) => startedAt).length + jobs.filter(({ finishedAt }) => finishedAt).length,
  );
  const { node } = useLazyLoadQuery<useCriticalPathQuery>(
    document,
    { build: buildId },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  const path = node?.criticalPath ?? null;
  const uuids = useMemo(() => new Set(path?.path.flatMap(({ job }) => job?.uuid ?? [])), [path]);
  return { path, uuids };
}
