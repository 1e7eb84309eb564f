import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { insightsPageQuery, insightsPageQuery$data } from '../../__generated__/insightsPageQuery.graphql';
import { texts } from '../../texts/texts';
import { csvOf, download } from '../../ui/download';
import { ChoiceFilter, Filters, useFilters } from '../../ui/filters';
import { Icon } from '../../ui/icon';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { sorted, sortingOf } from '../../ui/sorting';
import {
  beginningOf,
  daysOf,
  groupOf,
  type InsightGroup,
  insightDays,
  insightGroups,
  percentText,
  secondsText,
} from './insight-figures';
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

/** What the table can be sorted by, as the address names it. */
const figures = {
  name: ({ key }: Row) => key,
  builds: ({ builds }: Row) => builds,
  failed: ({ builds, failed }: Row) => (builds === 0 ? null : failed / builds),
  duration: ({ durationP95 }: Row) => durationP95,
  wait: ({ waitP95 }: Row) => waitP95,
  retried: ({ retried }: Row) => retried,
  agents: ({ agentSeconds }: Row) => agentSeconds,
};
type Figure = keyof typeof figures;

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
  const sorting = sortingOf(filters.sort, Object.keys(figures));
  const read = organization.insights ?? [];
  const rows = sorting ? sorted(read, figures[sorting.key as Figure], sorting.descending) : read;
  const longest = Math.max(0, ...rows.map(({ durationP95 }) => durationP95 ?? 0));
  const longestWait = Math.max(0, ...rows.map(({ waitP95 }) => waitP95 ?? 0));
  return (
    <Page
      title={words.title}
      wide
      actions={
        <button type="button" className="button" disabled={rows.length === 0} onClick={() => void save(by, days, rows)}>
          <Icon name="download" />
          {words.download}
        </button>
      }
    >
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
        sorting={sorting}
        onSort={(sort) => change({ sort })}
        columns={[
          { title: words.groups[by], sortKey: 'name', cell: ({ key }) => <bdi>{key}</bdi> },
          { title: words.builds, sortKey: 'builds', cell: ({ builds }) => <span className="tabular">{builds}</span> },
          { title: words.failed, sortKey: 'failed', cell: (row) => <Failures row={row} /> },
          {
            title: words.duration,
            sortKey: 'duration',
            cell: ({ durationP50, durationP95 }) => <Span p50={durationP50} p95={durationP95} longest={longest} />,
          },
          {
            title: words.wait,
            sortKey: 'wait',
            cell: ({ waitP50, waitP95 }) => <Span p50={waitP50} p95={waitP95} longest={longestWait} />,
          },
          {
            title: words.retried,
            sortKey: 'retried',
            cell: ({ retried }) => <span className="tabular">{retried}</span>,
          },
          {
            title: words.agentTime,
            sortKey: 'agents',
            cell: ({ agentSeconds }) => <span className="tabular">{secondsText(agentSeconds)}</span>,
          },
        ]}
      />
      <p className="muted">{words.hint}</p>
    </Page>
  );
}

/** The figures as they are shown, in seconds, for a spreadsheet. */
async function save(by: InsightGroup, days: number, rows: readonly Row[]): Promise<void> {
  const text = await csvOf(
    rows.map((row) => ({
      [by.toLowerCase()]: row.key,
      builds: row.builds,
      failed: row.failed,
      duration_p50: row.durationP50 ?? null,
      duration_p95: row.durationP95 ?? null,
      wait_p50: row.waitP50 ?? null,
      wait_p95: row.waitP95 ?? null,
      retried: row.retried,
      agent_seconds: row.agentSeconds,
    })),
  );
  download(`insights-by-${by.toLowerCase()}-${days}-days.csv`, new Blob([text], { type: 'text/csv' }));
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
