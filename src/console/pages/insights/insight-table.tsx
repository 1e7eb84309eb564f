import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/texts';
import { Icon } from '../../ui/icon';
import { Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { sizeText } from '../../ui/size-text';
import { sorted, sortingOf } from '../../ui/sorting';
import {
  costText,
  type InsightFilters,
  type InsightGroup,
  isOfOthers,
  narrowedTo,
  percentText,
  secondsText,
  shareText,
} from './insight-figures';
import { saveInsights } from './save-insights';
import { type Insight, useInsights } from './use-insights';
import './insights.css';

/** What the table can be sorted by, as the address names it. */
const figures = {
  name: ({ key }: Insight) => key,
  builds: ({ builds }: Insight) => builds,
  failed: ({ builds, failed }: Insight) => (builds === 0 ? null : failed / builds),
  duration: ({ durationP95 }: Insight) => durationP95,
  wait: ({ waitP95 }: Insight) => waitP95,
  retried: ({ retried }: Insight) => retried,
  agents: ({ agentSeconds }: Insight) => agentSeconds,
  cost: ({ cost }: Insight) => cost,
  connected: ({ agentsConnectedSeconds }: Insight) => agentsConnectedSeconds,
  busy: ({ agentsBusyShare }: Insight) => agentsBusyShare,
  logs: ({ logBytes }: Insight) => logBytes,
  artifacts: ({ artifactBytes }: Insight) => artifactBytes,
};
type Figure = keyof typeof figures;

/** Characters of a filter, as the server takes it. */
const mostOfFilter = 255;

interface Props {
  organization: string;
  by: InsightGroup;
  days: number;
  filters: InsightFilters;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

/** The figures of all pipelines, steps, queues or branches, each of which leads to its own. */
export function InsightTable({ organization: slug, by, days, filters, sort, onSort }: Props) {
  const read = useInsights(slug, by, days, filters);
  const words = texts.insights;
  if (!read) return <NotFound />;
  const sorting = sortingOf(sort, Object.keys(figures));
  const rows = sorting ? sorted(read, figures[sorting.key as Figure], sorting.descending) : read;
  const longest = Math.max(0, ...rows.map(({ durationP95 }) => durationP95 ?? 0));
  const hasShares = rows.some(({ agentsBusyShare }) => typeof agentsBusyShare === 'number');
  const longestWait = Math.max(0, ...rows.map(({ waitP95 }) => waitP95 ?? 0));
  return (
    <section className="stack stack-s">
      <div className="row row-wrap">
        <h2 className="grow">{words.tables[by]}</h2>
        <button
          type="button"
          className="button"
          disabled={rows.length === 0}
          onClick={() => void saveInsights(by, days, rows)}
        >
          <Icon name="download" />
          {words.download}
        </button>
      </div>
      <Table
        label={words.title}
        items={rows}
        keyOf={({ key }) => key}
        empty={words.none}
        sorting={sorting}
        onSort={onSort}
        columns={[
          { title: words.groups[by], sortKey: 'name', cell: ({ key }) => <Name by={by} name={key} /> },
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
          // Of queues, and once their agents were counted.
          ...(hasShares
            ? [
                {
                  title: words.busy,
                  sortKey: 'busy',
                  cell: ({ agentsBusyShare }: Insight) => <Busy share={agentsBusyShare} />,
                },
              ]
            : []),
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
          ...(hasShares
            ? [
                {
                  title: words.connected,
                  sortKey: 'connected',
                  cell: ({ agentsConnectedSeconds }: Insight) => (
                    <span className="tabular">{secondsText(agentsConnectedSeconds)}</span>
                  ),
                },
              ]
            : []),
          // Of organizations that have said what agents cost.
          ...(rows.some(({ cost }) => typeof cost === 'number')
            ? [
                {
                  title: words.cost,
                  sortKey: 'cost',
                  cell: ({ cost }: Insight) => <span className="tabular">{costText(cost)}</span>,
                },
              ]
            : []),
          {
            title: words.logs,
            sortKey: 'logs',
            cell: ({ logBytes }) => <span className="insight-figure tabular">{sizeText(logBytes)}</span>,
          },
          {
            title: words.artifacts,
            sortKey: 'artifacts',
            cell: ({ artifactBytes }) => <span className="insight-figure tabular">{sizeText(artifactBytes)}</span>,
          },
        ]}
      />
      <p className="muted">{words.hint}</p>
    </section>
  );
}

/** The name of a row, which leads to the figures of it alone. */
function Name({ by, name }: { by: InsightGroup; name: string }) {
  if (isOfOthers(by, name)) return <Others of={name} />;
  if (name.length > mostOfFilter) return <bdi>{name}</bdi>;
  return (
    <Link to="." search={((before: object) => ({ ...before, sort: undefined, ...narrowedTo(by, name) })) as never}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** Branches or steps together, which have no figures by themselves to lead to. */
function Others({ of }: { of: string }) {
  const pipeline = of.slice(0, -1);
  return (
    <span title={texts.insights.othersHint}>
      {pipeline !== '' && <bdi>{pipeline}</bdi>}
      {texts.insights.others}
    </span>
  );
}

function Failures({ row: { builds, failed } }: { row: Insight }) {
  return (
    <span className="insight">
      <span className="insight-bar" aria-hidden="true">
        <span className="insight-failed" style={{ inlineSize: `${builds === 0 ? 0 : (100 * failed) / builds}%` }} />
      </span>
      <span className="tabular">{percentText(failed, builds)}</span>
    </span>
  );
}

/** A part of time: a bar to compare rows by, and the percentage. */
function Busy({ share }: { share: number | null | undefined }) {
  return (
    <span className="insight">
      <span className="insight-bar" aria-hidden="true">
        <span className="insight-p50" style={{ inlineSize: `${100 * (share ?? 0)}%` }} />
      </span>
      <span className="tabular">{shareText(share)}</span>
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
