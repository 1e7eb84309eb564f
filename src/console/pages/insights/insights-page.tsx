import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { insightsPageQuery, insightsPageQuery$data } from '../../__generated__/insightsPageQuery.graphql';
import { texts } from '../../texts/texts';
import { ChoiceFilter, Filters, useFilters } from '../../ui/filters';

import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { beginningOf, daysOf, groupOf, insightDays, insightGroups, percentText, secondsText } from './insight-figures';
import './insights.css';

const route = getRouteApi('/organizations/$organization/insights');

const document = graphql`
  query insightsPageQuery($organization: ID!, $by: InsightGroups!, $from: DateTime!) {
    organization(slug: $organization) {
      insights(by: $by, from: $from) {
        key
        builds
        failed
        durationP50
        durationP95
        waitP50
        waitP95
        retried
        agentSeconds
      }
    }
  }
`;

type Row = NonNullable<NonNullable<insightsPageQuery$data['organization']>['insights']>[number];

/** How long builds take and wait, and how often they fail: by pipeline, step, queue or branch. */
export function InsightsPage() {
  const { organization: slug } = route.useParams();
  const filters = route.useSearch();
  const { shown, change } = useFilters(filters);
  const by = groupOf(shown.by);
  const days = daysOf(shown.days);
  const from = useMemo(() => beginningOf(days, Date.now()), [days]);
  const { organization } = useLazyLoadQuery<insightsPageQuery>(document, { organization: slug, by, from });
  const words = texts.insights;
  if (!organization) return <NotFound />;
  const rows = organization.insights ?? [];
  const longest = Math.max(0, ...rows.map(({ durationP95 }) => durationP95 ?? 0));
  const longestWait = Math.max(0, ...rows.map(({ waitP95 }) => waitP95 ?? 0));
  return (
    <Page title={words.title} wide>
      <Filters>
        <ChoiceFilter
          label={words.by}
          any={words.groups.PIPELINE}
          value={filters.by}
          onChange={(next) => change({ by: next })}
          choices={insightGroups.slice(1).map((group) => ({ value: group.toLowerCase(), label: words.groups[group] }))}
        />
        <ChoiceFilter
          label={words.time}
          any={words.days(Number(insightDays[0]))}
          value={filters.days}
          onChange={(next) => change({ days: next })}
          choices={insightDays.slice(1).map((each) => ({ value: each, label: words.days(Number(each)) }))}
        />
      </Filters>
      <Table
        label={words.title}
        items={rows}
        keyOf={({ key }) => key}
        empty={words.none}
        columns={[
          { title: words.groups[by], cell: ({ key }) => <bdi>{key}</bdi> },
          { title: words.builds, cell: ({ builds }) => <span className="tabular">{builds}</span> },
          { title: words.failed, cell: (row) => <Failures row={row} /> },
          {
            title: words.duration,
            cell: ({ durationP50, durationP95 }) => <Span p50={durationP50} p95={durationP95} longest={longest} />,
          },
          {
            title: words.wait,
            cell: ({ waitP50, waitP95 }) => <Span p50={waitP50} p95={waitP95} longest={longestWait} />,
          },
          { title: words.retried, cell: ({ retried }) => <span className="tabular">{retried}</span> },
          {
            title: words.agentTime,
            cell: ({ agentSeconds }) => <span className="tabular">{secondsText(agentSeconds)}</span>,
          },
        ]}
      />
      <p className="muted">{words.hint}</p>
    </Page>
  );
}

function Failures({ row: { builds, failed } }: { row: Row }) {
  return (
    <span className="insight">
      <span className="insight-bar" aria-hidden="true">
        <span className="insight-failed" style={{ inlineSize: `${builds === 0 ? 0 : (100 * failed) / builds}%` }} />
      </span>
      <span className="tabular">{percentText(failed, builds)}</span>
    </span>
  );
}

/** The median and the 95th percentile: a bar to compare rows by, and both in words. */
function Span({
  p50,
  p95,
  longest,
}: {
  p50: number | null | undefined;
  p95: number | null | undefined;
  longest: number;
}) {
  const part = (seconds: number | null | undefined) => `${longest === 0 ? 0 : (100 * (seconds ?? 0)) / longest}%`;
  return (
    <span className="insight">
      <span className="insight-bar" aria-hidden="true">
        <span className="insight-p95" style={{ inlineSize: part(p95) }} />
        <span className="insight-p50" style={{ inlineSize: part(p50) }} />
      </span>
      <span className="tabular">
        {secondsText(p50)} <span className="muted">/ {secondsText(p95)}</span>
      </span>
    </span>
  );
}
