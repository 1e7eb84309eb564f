import { Link } from '@tanstack/react-router';
import { graphql, readInlineData } from 'react-relay';
import type { executionList_execution$key } from '../../__generated__/executionList_execution.graphql';
import { texts } from '../../texts/texts';
import { StateMark } from '../../ui/state';
import { RelativeTime } from '../../ui/time';
import { secondsText } from './seconds-text';
import { firstLine } from '../../ui/first-line';

const fragment = graphql`
  fragment executionList_execution on SuiteExecution @inline {
    uuid
    result
    duration
    createdAt
    location
    failureReason
    failureExpanded {
      expanded
      backtrace
    }
    test {
      uuid
      name
      scope
    }
    run {
      uuid
      branch
      commit
    }
  }
`;

interface Props {
  address: { organization: string; suite: string };
  executions: readonly executionList_execution$key[];
  /** What tells the executions apart: the tests of a run, or the runs of a test. */
  by: 'test' | 'run';
  empty: string;
  /** Order within what was read: as it came, or the longest first. */
  slowestFirst?: boolean;
}

/** Results of tests, each with the description of its failure. */
export function ExecutionList({ address, executions, by, empty, slowestFirst = false }: Props) {
  const items = executions.map((execution) => readInlineData(fragment, execution));
  const shown = slowestFirst ? items.toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0)) : items;
  if (shown.length === 0) return <p className="card card-body muted">{empty}</p>;
  return (
    <ul className="card">
      {shown.map(({ uuid, result, duration, createdAt, location, failureReason, failureExpanded, test, run }) => (
        <li key={uuid}>
          <details className="entry">
            <summary>
              <StateMark state={result} />
              <span className="grow">
                {by === 'test' ? (
                  <>
                    <span className="muted">{test.scope} </span>
                    {test.name}
                  </>
                ) : (
                  <>
                    {run.branch} <code>{run.commit.slice(0, 10)}</code>
                  </>
                )}
                {failureReason && <div className="muted truncate">{firstLine(failureReason)}</div>}
              </span>
              <span className="tabular">{secondsText(duration)}</span>
              <RelativeTime at={createdAt} />
            </summary>
            <div className="card-body stack stack-s">
              <div className="row row-wrap">
                {by === 'test' ? (
                  <Link
                    to="/organizations/$organization/analytics/suites/$suite/tests/$test"
                    params={{ ...address, test: test.uuid }}
                  >
                    {texts.suites.history}
                  </Link>
                ) : (
                  <Link
                    to="/organizations/$organization/analytics/suites/$suite/runs/$run"
                    params={{ ...address, run: run.uuid }}
                  >
                    {texts.suites.run}
                  </Link>
                )}
                {location && <code>{location}</code>}
              </div>
              {failureReason && (
                <pre className="json-block" tabIndex={0} aria-label={texts.suites.failure} role="region">
                  {[
                    failureReason,
                    ...failureExpanded.flatMap(({ expanded, backtrace }) => [...expanded, ...backtrace]),
                  ].join('\n')}
                </pre>
              )}
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
