import { type ReactNode, useState } from 'react';
import { texts } from '../../texts/texts';
import { Chart } from '../../ui/charts/chart';
import { Icon } from '../../ui/icon';
import { Table } from '../../ui/page';
import { costText, type InsightFilters, secondsText, shareText, timeOf, timeWords } from './insight-figures';
import { saveInsights } from './save-insights';
import { type Insight, useInsights } from './use-insights';
import './insights.css';

export type TrendChart = 'builds' | 'duration' | 'wait' | 'cost' | 'busy';

interface Props {
  organization: string;
  days: number;
  filters: InsightFilters;
  charts?: readonly TrendChart[];
  /** What stands there where nothing was built in the time. */
  empty?: ReactNode;
}

/** Figures over time, as charts and as a table that is folded away. */
export function InsightTrend({ organization: slug, days, filters, charts = allCharts, empty = null }: Props) {
  const by = timeOf(days);
  const rows = useInsights(slug, by, days, filters) ?? [];
  const [chosen, setChosen] = useState(() => rows.findLastIndex(({ builds }) => builds > 0));
  if (chosen < 0) return empty;
  const words = texts.insights;
  const hasCosts = rows.some(({ cost }) => typeof cost === 'number');
  const hasShares = rows.some(({ agentsBusyShare }) => typeof agentsBusyShare === 'number');
  const ofJobs = Boolean(filters.queue ?? filters.step);
  const common = {
    places: rows.map(({ key }) => timeWords(key)),
    chosen,
    onChoose: setChosen,
    placeName: words.places[by],
  };
  return (
    <>
      <div className="insight-charts">
        {charts
          .filter((chart) => (chart !== 'cost' || hasCosts) && (chart !== 'busy' || hasShares))
          .map((chart) => (
            <Chart key={chart} {...chartOf(chart, rows, ofJobs)} {...common} />
          ))}
      </div>
      <details>
        <summary>{words.asTable}</summary>
        <div className="stack stack-s">
          <div className="row row-wrap">
            <button type="button" className="button" onClick={() => void saveInsights(by, days, rows)}>
              <Icon name="download" />
              {words.downloadTimes[by]}
            </button>
          </div>
          <Table
            label={words.overTime}
            items={rows}
            keyOf={({ key }) => key}
            empty={words.none}
            columns={[
              {
                title: words.places[by],
                cell: ({ key }) => (
                  <time className="insight-figure" dateTime={key}>
                    {timeWords(key).long}
                  </time>
                ),
              },
              { title: words.builds, cell: ({ builds }) => builds },
              { title: words.columns.failed, cell: ({ failed }) => failed },
              {
                title: words.columns.duration,
                cell: ({ durationP50, durationP90, durationP95 }) => spans(durationP50, durationP90, durationP95),
              },
              { title: words.columns.wait, cell: ({ waitP50, waitP90, waitP95 }) => spans(waitP50, waitP90, waitP95) },
              { title: words.retried, cell: ({ retried }) => retried },
              { title: words.agentTime, cell: ({ agentSeconds }) => secondsText(agentSeconds) },
              ...(hasCosts ? [{ title: words.cost, cell: ({ cost }: Insight) => costText(cost) }] : []),
              ...(hasShares
                ? [
                    {
                      title: words.connected,
                      cell: ({ agentsConnectedSeconds }: Insight) => secondsText(agentsConnectedSeconds),
                    },
                    { title: words.busy, cell: ({ agentsBusyShare }: Insight) => shareText(agentsBusyShare) },
                  ]
                : []),
            ]}
          />
        </div>
      </details>
    </>
  );
}

const allCharts: readonly TrendChart[] = ['builds', 'duration', 'wait', 'busy', 'cost'];

const spans = (...seconds: (number | null | undefined)[]) => (
  <span className="insight-figure tabular">{seconds.map(secondsText).join(' / ')}</span>
);

/** What a chart shows of the rows. */
function chartOf(chart: TrendChart, rows: readonly Insight[], ofJobs: boolean) {
  const words = texts.insights.charts;
  if (chart === 'builds')
    return {
      title: words.builds,
      kind: 'bars' as const,
      unit: 'count' as const,
      textOf: (value: number | null) => String(value ?? 0),
      series: [
        { name: words.notFailed, look: 'quiet' as const, values: rows.map(({ builds, failed }) => builds - failed) },
        { name: words.failed, look: 'failed' as const, values: rows.map(({ failed }) => failed) },
      ],
    };
  if (chart === 'cost')
    return {
      title: words.cost,
      kind: 'bars' as const,
      unit: 'amount' as const,
      textOf: costText,
      series: [{ name: words.cost, look: 'quiet' as const, values: rows.map(({ cost }) => cost ?? null) }],
    };
  if (chart === 'busy')
    return {
      title: words.busy,
      kind: 'lines' as const,
      unit: 'amount' as const,
      textOf: (value: number | null) => shareText(value === null ? null : value / 100),
      series: [
        {
          name: words.busyShare,
          look: 'first' as const,
          values: rows.map(({ agentsBusyShare: share }) => (typeof share === 'number' ? 100 * share : null)),
        },
      ],
    };
  const ofWaits = chart === 'wait';
  const [median, most] = ofWaits ? (['waitP50', 'waitP95'] as const) : (['durationP50', 'durationP95'] as const);
  const duration = ofJobs ? words.jobDuration : words.duration;
  return {
    title: ofWaits ? words.wait : duration,
    kind: 'lines' as const,
    unit: 'seconds' as const,
    textOf: secondsText,
    series: [
      { name: words.median, look: 'first' as const, values: rows.map((row) => row[median] ?? null) },
      { name: words.most, look: 'second' as const, values: rows.map((row) => row[most] ?? null) },
    ],
  };
}
