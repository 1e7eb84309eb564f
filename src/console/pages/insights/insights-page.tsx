import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { texts } from '../../texts/texts';
import { ErrorBoundary } from '../../ui/error-boundary';
import { ChoiceFilter, Filters, useFilters } from '../../ui/filters';
import { Icon } from '../../ui/icon';
import { Page } from '../../ui/page';
import { Loading } from '../../ui/placeholder';
import { Section } from '../../ui/section';
import {
  daysOf,
  filtersSet,
  groupOf,
  type InsightFilters,
  insightDays,
  insightGroups,
  without,
} from './insight-figures';
import { InsightTable } from './insight-table';
import { InsightTrend } from './insight-trend';

const route = getRouteApi('/organizations/$organization/insights');

/** How long builds take and wait, and how often they fail: over time, and by pipeline, step, queue or branch. */
export function InsightsPage() {
  const { organization } = route.useParams();
  const filters = route.useSearch();
  const { shown, change } = useFilters(filters);
  const by = groupOf(shown.by);
  const days = daysOf(shown.days);
  const { pipeline, branch, queue, step } = shown;
  const only = { pipeline, branch, queue, step };
  const key = JSON.stringify([organization, days, only]);
  const words = texts.insights;
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
        <Narrowed filters={filters} />
      </Filters>
      <ErrorBoundary resetKey={`${key} ${by}`}>
        <Section title={words.overTime}>
          <Suspense fallback={<Loading />}>
            <InsightTrend key={key} organization={organization} days={days} filters={only} empty={<NoBuild />} />
          </Suspense>
        </Section>
        <Suspense fallback={<Loading />}>
          <InsightTable
            key={`${key} ${by}`}
            organization={organization}
            by={by}
            days={days}
            filters={only}
            sort={filters.sort}
            onSort={(sort) => change({ sort })}
          />
        </Suspense>
      </ErrorBoundary>
    </Page>
  );
}

const NoBuild = () => <p className="card card-body muted">{texts.insights.none}</p>;

/** What the figures are narrowed to; each leads back to all of its kind. */
function Narrowed({ filters }: { filters: InsightFilters }) {
  const words = texts.insights;
  return filtersSet(filters).map(([group, name]) => {
    const kind = words.groups[group];
    return (
      <Link
        key={group}
        className="button"
        to="."
        search={((before: object) => ({ ...before, ...without(group) })) as never}
        title={words.all(kind)}
      >
        {words.only(kind, name)}
        <Icon name="close" />
      </Link>
    );
  });
}
