import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { suiteWorkflowsQuery } from '../../../__generated__/suiteWorkflowsQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { Table } from '../../../ui/page';
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
  return (
    <Section
      title={workflows.title}
      actions={
        <button type="button" className="button" onClick={() => setCreating(true)}>
          {workflows.new}
        </button>
      }
    >
      <Table
        label={workflows.title}
        items={nodesOf(suite?.workflows)}
        keyOf={({ id }) => id}
        empty={workflows.none}
        columns={[
          {
            title: texts.fields.name,
            cell: ({ uuid, name, enabled }) => (
              <>
                <Link
                  to="/organizations/$organization/analytics/suites/$suite/workflows/$workflow"
                  params={{ ...address, workflow: uuid }}
                >
                  {name}
                </Link>{' '}
                {!enabled && <span className="tag">{workflows.disabled}</span>}
              </>
            ),
          },
          { title: workflows.monitor, cell: ({ monitor }) => workflows.monitors[monitor.type] },
          { title: workflows.inAlarm, cell: ({ alarms }) => alarms?.count },
        ]}
      />
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
