import { Link } from '@tanstack/react-router';
import { graphql, readInlineData } from 'react-relay';
import type { testTable_test$key } from '../../__generated__/testTable_test.graphql';
import type { testTable_metrics$data, testTable_metrics$key } from '../../__generated__/testTable_metrics.graphql';
import { texts } from '../../texts/texts';
import type { Pagination } from '../../ui/more';
import { PagedTable } from '../../ui/paged-table';
import { secondsText } from './seconds-text';

const ofTest = graphql`
  fragment testTable_test on SuiteTest @inline {
    id
    uuid
    name
    scope
    state
    labels
  }
`;

const ofMetrics = graphql`
  fragment testTable_metrics on SuiteTestMetrics @inline {
    executionsCount
    durationAverage
    durationSum
    reliability
    countByResult {
      failed
    }
  }
`;

export interface SuiteAddress {
  organization: string;
  suite: string;
}

interface TestRow {
  test: testTable_test$key;
  metrics: testTable_metrics$key;
}

/** A list of tests with what they did; one that both passes and fails is marked. */
export function TestTable(props: { address: SuiteAddress; rows: TestRow[]; more: Pagination; empty: string }) {
  const rows = props.rows.map(({ test, metrics }) => ({
    test: readInlineData(ofTest, test),
    metrics: readInlineData(ofMetrics, metrics),
  }));
  return (
    <PagedTable
      more={props.more}
      label={texts.resources.tests}
      items={rows}
      keyOf={({ test }) => test.id}
      empty={props.empty}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ test, metrics }) => (
            <>
              <div className="muted">{test.scope}</div>
              <Link
                to="/organizations/$organization/analytics/suites/$suite/tests/$test"
                params={{ ...props.address, test: test.uuid }}
              >
                {test.name}
              </Link>{' '}
              {isUnsteady(metrics) && <span className="tag tone-running">{texts.suites.flaky}</span>}
              {test.state !== 'ENABLED' && <span className="tag">{texts.suites.testStates[test.state]}</span>}
              {test.labels.map((label) => (
                <span key={label} className="tag">
                  {label}
                </span>
              ))}
            </>
          ),
        },
        {
          title: texts.fields.reliability,
          cell: ({ metrics }) => (metrics.reliability == null ? '' : `${Math.round(metrics.reliability * 100)} %`),
        },
        { title: texts.fields.failed, cell: ({ metrics }) => metrics.countByResult.failed },
        { title: texts.suites.executions, cell: ({ metrics }) => metrics.executionsCount },
        { title: texts.suites.average, cell: ({ metrics }) => secondsText(metrics.durationAverage) },
        { title: texts.suites.inAll, cell: ({ metrics }) => secondsText(metrics.durationSum) },
      ]}
    />
  );
}

const isUnsteady = ({ reliability }: testTable_metrics$data): boolean =>
  reliability != null && reliability > 0 && reliability < 1;
