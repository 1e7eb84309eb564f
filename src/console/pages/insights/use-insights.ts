import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { useInsightsQuery, useInsightsQuery$data } from '../../__generated__/useInsightsQuery.graphql';
import { beginningOf, type InsightFilters } from './insight-figures';

const document = graphql`
  query useInsightsQuery(
    $organization: ID!
    $by: InsightGroups!
    $from: DateTime!
    $pipeline: String
    $branch: String
    $queue: String
    $step: String
  ) {
    organization(slug: $organization) {
      insights(by: $by, from: $from, pipeline: $pipeline, branch: $branch, queue: $queue, step: $step) {
        key
        builds
        failed
        durationP50
        durationP90
        durationP95
        waitP50
        waitP90
        waitP95
        retried
        agentSeconds
        cost
        logBytes
        artifactBytes
        agentsConnectedSeconds
        agentsBusyShare
      }
    }
  }
`;

/** Figures of a group of builds or jobs: of a pipeline, branch, queue or step, or of a day or an hour. */
export type Insight = NonNullable<NonNullable<useInsightsQuery$data['organization']>['insights']>[number];

/** Reads the figures of the last `days` days; null without the organization. */
export function useInsights(
  organization: string,
  by: useInsightsQuery['variables']['by'],
  days: number,
  { pipeline, branch, queue, step }: InsightFilters,
): readonly Insight[] | null {
  const [from] = useState(() => beginningOf(days, Date.now()));
  const data = useLazyLoadQuery<useInsightsQuery>(document, {
    organization,
    by,
    from,
    pipeline: pipeline ?? null,
    branch: branch ?? null,
    queue: queue ?? null,
    step: step ?? null,
  });
  return data.organization ? (data.organization.insights ?? []) : null;
}
