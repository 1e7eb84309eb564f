import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { workflowPageDeleteMutation } from '../../../__generated__/workflowPageDeleteMutation.graphql';
import type { workflowPageQuery } from '../../../__generated__/workflowPageQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { useRefetchKey } from '../../../relay/use-refetch-key';
import { texts } from '../../../texts/texts';
import { ConfirmButton } from '../../../ui/confirm-button';
import { Page, Table } from '../../../ui/page';
import { NotFound } from '../../../ui/placeholder';
import { Section } from '../../../ui/section';
import { RelativeTime } from '../../../ui/time';
import { TestLink } from './test-link';
import { EditWorkflowDialog } from './workflow-dialog';
import { WorkflowEvents } from './workflow-events';

const route = getRouteApi('/organizations/$organization/analytics/suites/$suite/workflows/$workflow');

/** Tests in alarm that the query names; of more there is the count alone. */
const shownAlarms = 100;

const document = graphql`
  query workflowPageQuery($slug: ID!, $workflow: ID!) {
    suite(slug: $slug) {
      name
      workflow(id: $workflow) {
        id
        name
        enabled
        monitor {
          type
        }
        alarms(first: 100) {
          count
          edges {
            node {
              eventUuid
              since
              test {
                ...testLink_test
              }
            }
          }
        }
        ...workflowEvents_workflow
        ...workflowDialog_workflow
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation workflowPageDeleteMutation($input: SuiteWorkflowDeleteInput!) {
    suiteWorkflowDelete(input: $input) {
      deletedWorkflowID
    }
  }
`;

/** A workflow of a test suite: which tests are in alarm, and its latest events with their values. */
export function WorkflowPage() {
  const { organization, suite: slug, workflow: uuid } = route.useParams();
  const navigate = useNavigate();
  const [fetchKey, refetch] = useRefetchKey();
  const [editing, setEditing] = useState(false);
  const { suite } = useLazyLoadQuery<workflowPageQuery>(
    document,
    { slug: `${organization}/${slug}`, workflow: uuid },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  const workflow = suite?.workflow;
  if (!workflow) return <NotFound />;
  const { workflows } = texts;
  const address = { organization, suite: slug };
  const alarmsCount = workflow.alarms?.count ?? 0;
  return (
    <Page
      title={workflow.name}
      crumbs={
        <>
          <Link to="/organizations/$organization/analytics/suites" params={{ organization }}>
            {texts.resources.suites}
          </Link>
          <Link
            to="/organizations/$organization/analytics/suites/$suite"
            params={address}
            search={{ tab: 'workflows' }}
          >
            {suite.name}
          </Link>
        </>
      }
      actions={
        <>
          <button type="button" className="button" onClick={() => setEditing(true)}>
            {texts.common.edit}
          </button>
          <ConfirmButton<workflowPageDeleteMutation>
            label={texts.common.delete}
            question={texts.common.deleteQuestion(workflow.name)}
            mutation={deleteDocument}
            input={{ id: workflow.id }}
            done={() =>
              void navigate({
                to: '/organizations/$organization/analytics/suites/$suite',
                params: address,
                search: { tab: 'workflows' },
              })
            }
          />
        </>
      }
    >
      <p className="muted">
        {workflows.monitors[workflow.monitor.type]}
        {!workflow.enabled && ` · ${workflows.disabled}`}
      </p>
      <Section title={workflows.inAlarm}>
        <Table
          label={workflows.inAlarm}
          items={nodesOf(workflow.alarms)}
          keyOf={({ eventUuid }) => eventUuid}
          empty={workflows.noAlarms}
          columns={[
            { title: workflows.test, cell: ({ test }) => <TestLink address={address} test={test} /> },
            { title: workflows.since, cell: ({ since }) => <RelativeTime at={since} /> },
          ]}
        />
        {alarmsCount > shownAlarms && <p className="muted">{workflows.moreAlarms(alarmsCount - shownAlarms)}</p>}
      </Section>
      <WorkflowEvents address={address} workflow={workflow} refetch={refetch} />
      {editing && <EditWorkflowDialog workflow={workflow} close={() => setEditing(false)} />}
    </Page>
  );
}
