import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { suitePageDeleteMutation } from '../../__generated__/suitePageDeleteMutation.graphql';
import type { suitePageQuery } from '../../__generated__/suitePageQuery.graphql';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { ChoiceFilter, Filters, TextFilter, useFilters } from '../../ui/filters';
import { Page } from '../../ui/page';
import { Loading, NotFound } from '../../ui/placeholder';
import { measuredOrders, MeasuredTests } from './measured-tests';
import { EditSuiteDialog } from './suite-dialog';
import { SuiteRuns } from './suite-runs';
import { SuiteTests } from './suite-tests';
import { SuiteWorkflows } from './workflows/suite-workflows';

const route = getRouteApi('/organizations/$organization/analytics/suites/$suite');
/** Days whose executions count where the address names none. */
const usualDays = 7;
const otherDays = [1, 28, 90];
const tabs = ['runs', 'tests', 'workflows'] as const;
const tabNames = { ...texts.resources, workflows: texts.workflows.title };
const testStates = Object.entries(texts.suites.testStates);

const document = graphql`
  query suitePageQuery($slug: ID!) {
    suite(slug: $slug) {
      id
      name
      ...suiteRuns_suite
      ...suiteDialog_suite
    }
  }
`;

const deleteDocument = graphql`
  mutation suitePageDeleteMutation($input: SuiteDeleteInput!) {
    suiteDelete(input: $input) {
      deletedSuiteID
    }
  }
`;

/** A test suite: its runs, and its tests with how reliable they are. */
export function SuitePage() {
  const { organization, suite: slug } = route.useParams();
  const filters = route.useSearch();
  const { tab = 'runs' } = filters;
  const { shown, change } = useFilters(filters);
  const navigate = useNavigate({ from: '/organizations/$organization/analytics/suites/$suite' });
  const [editing, setEditing] = useState(false);
  const { suite } = useLazyLoadQuery<suitePageQuery>(
    document,
    { slug: `${organization}/${slug}` },
    { fetchPolicy: 'store-and-network' },
  );
  const by = measuredOrders.find((order) => order === shown.by);
  if (!suite) return <NotFound />;
  const address = { organization, suite: slug };
  return (
    <Page
      title={suite.name}
      crumbs={
        <Link to="/organizations/$organization/analytics/suites" params={{ organization }}>
          {texts.resources.suites}
        </Link>
      }
      actions={
        <>
          <button type="button" className="button" onClick={() => setEditing(true)}>
            {texts.common.edit}
          </button>
          <ConfirmButton<suitePageDeleteMutation>
            label={texts.common.delete}
            question={texts.common.deleteQuestion(suite.name)}
            mutation={deleteDocument}
            input={{ id: suite.id }}
            done={() =>
              void navigate({ to: '/organizations/$organization/analytics/suites', params: { organization } })
            }
          />
        </>
      }
    >
      <nav className="tabs" aria-label={suite.name}>
        {tabs.map((each) => (
          <Link
            key={each}
            className="tab"
            to="/organizations/$organization/analytics/suites/$suite"
            params={address}
            search={{ tab: each === 'runs' ? undefined : each }}
            activeOptions={{ exact: true, explicitUndefined: true }}
            aria-current={each === tab ? 'page' : undefined}
          >
            {tabNames[each]}
          </Link>
        ))}
      </nav>
      {tab === 'tests' && (
        <Filters>
          <TextFilter
            label={texts.suites.searchTests}
            value={filters.search}
            onChange={(search) => change({ search })}
          />
          <ChoiceFilter
            label={texts.suites.order}
            value={filters.by}
            any={texts.suites.newest}
            choices={measuredOrders.map((value) => ({ value, label: texts.suites.orders[value] ?? value }))}
            onChange={(by) => change({ by })}
          />
          {filters.by && (
            <>
              <ChoiceFilter
                label={texts.suites.time}
                value={filters.days}
                any={texts.suites.lastDays(usualDays)}
                choices={otherDays.map((days) => ({ value: String(days), label: texts.suites.lastDays(days) }))}
                onChange={(days) => change({ days })}
              />
              <TextFilter
                label={texts.fields.branch}
                value={filters.branch}
                onChange={(branch) => change({ branch })}
              />
              <TextFilter label={texts.suites.owner} value={filters.owner} onChange={(owner) => change({ owner })} />
              <TextFilter label={texts.suites.label} value={filters.label} onChange={(label) => change({ label })} />
              <ChoiceFilter
                label={texts.fields.state}
                value={filters.state}
                any={texts.pipeline.anyState}
                choices={testStates.map(([state, label]) => ({ value: state.toLowerCase(), label }))}
                onChange={(state) => change({ state })}
              />
            </>
          )}
        </Filters>
      )}
      <Suspense fallback={<Loading />}>
        {tab !== 'tests' && tab !== 'workflows' && <SuiteRuns address={address} suite={suite} />}
        {tab === 'workflows' && <SuiteWorkflows address={address} />}
        {tab === 'tests' && !by && <SuiteTests address={address} search={shown.search} />}
        {tab === 'tests' && by && (
          <MeasuredTests
            address={address}
            filters={shown}
            by={by}
            days={otherDays.find((days) => String(days) === shown.days) ?? usualDays}
          />
        )}
      </Suspense>
      {editing && (
        <EditSuiteDialog
          suite={suite}
          close={() => setEditing(false)}
          done={(next) =>
            void navigate({
              to: '/organizations/$organization/analytics/suites/$suite',
              params: { organization, suite: next },
              search: (before) => before,
              replace: true,
            })
          }
        />
      )}
    </Page>
  );
}
