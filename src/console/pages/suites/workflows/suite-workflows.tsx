import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { suiteWorkflowsQuery } from '../../../__generated__/suiteWorkflowsQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { Section } from '../../../ui/section';
import type { SuiteAddress } from '../test-table';
import { NewWorkflowDialog } from './workflow-dialog';

const document = graphql`
  query suiteWorkflowsQuery($slug: ID!) {
    suite(slug: $slug) {
      id
      workflows(first: 50) {
        edges {
          node {
            id
            uuid
            name
            enabled
            monitor {
              type
            }
            alarms(first: 1) {
              count
            }
          }
        }
      }
    }
  }
`;

/** The workflows of a suite, of which there are few, each with how many tests are in alarm. */
export function SuiteWorkflows({ address }: { address: SuiteAddress }) {
  const [creating, setCreating] = useState(false);
  const [fetchKey, setFetchKey] = useState(0);
  const { suite } = useLazyLoadQuery<suiteWorkflowsQuery>(
    document,
    { slug: `${address.organization}/${address.suite}` },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  const { workflows } = texts;
  const rows = nodesOf(suite?.workflows);
  return (
    <Section
      title={workflows.title}
      actions={
        <button type="button" className="button" onClick={() => setCreating(true)}>
          {workflows.new}
        </button>
      }
    >
      {rows.length === 0 && <p className="muted">{workflows.none}</p>}
      {rows.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th>{texts.fields.name}</th>
              <th>{workflows.monitor}</th>
              <th>{workflows.inAlarm}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, uuid, name, enabled, monitor, alarms }) => (
              <tr key={id}>
                <td>
                  <Link
                    to="/organizations/$organization/analytics/suites/$suite/workflows/$workflow"
                    params={{ ...address, workflow: uuid }}
                  >
                    {name}
                  </Link>{' '}
                  {!enabled && <span className="tag">{workflows.disabled}</span>}
                </td>
                <td>{workflows.monitors[monitor.type]}</td>
                <td>{alarms?.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {creating && suite && (
        <NewWorkflowDialog
          suite={suite.id}
          close={() => setCreating(false)}
          done={() => setFetchKey((key) => key + 1)}
        />
      )}
    </Section>
  );
}
