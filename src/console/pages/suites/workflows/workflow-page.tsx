import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { workflowPageDeleteMutation } from '../../../__generated__/workflowPageDeleteMutation.graphql';
import type { workflowPageQuery } from '../../../__generated__/workflowPageQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { ConfirmButton } from '../../../ui/confirm-button';
import { JsonBlock } from '../../../ui/json-block';
import { Page } from '../../../ui/page';
import { NotFound } from '../../../ui/placeholder';
import { Section } from '../../../ui/section';
import { RelativeTime } from '../../../ui/time';
import { EditWorkflowDialog } from './workflow-dialog';

const route = getRouteApi('/organizations/$organization/analytics/suites/$suite/workflows/$workflow');

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
                uuid
                name
                scope
              }
            }
          }
        }
        events(first: 50) {
          edges {
            node {
              uuid
              event
              createdAt
              workflowEvent
              problems
              test {
                uuid
                name
                scope
              }
            }
          }
        }
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
  const [editing, setEditing] = useState(false);
  const { suite } = useLazyLoadQuery<workflowPageQuery>(
    document,
    { slug: `${organization}/${slug}`, workflow: uuid },
    { fetchPolicy: 'store-and-network' },
  );
  const workflow = suite?.workflow;
  if (!workflow) return <NotFound />;
  const { workflows } = texts;
  const address = { organization, suite: slug };
  const alarms = nodesOf(workflow.alarms);
  const events = nodesOf(workflow.events);
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
        {alarms.length === 0 && <p className="muted">{workflows.noAlarms}</p>}
        {alarms.map(({ eventUuid, since, test }) => (
          <p key={eventUuid} className="row row-wrap">
            <TestLink address={address} test={test} /> <RelativeTime at={since} />
          </p>
        ))}
      </Section>
      <Section title={workflows.events}>
        {events.length === 0 && <p className="muted">{workflows.noEvents}</p>}
        {events.map(({ uuid: id, event, createdAt, workflowEvent, problems, test }) => (
          <details key={id}>
            <summary className="row row-wrap">
              <span className={`tag ${event === 'ALARM' ? 'tone-failed' : 'tone-passed'}`}>
                {workflows.eventNames[event]}
              </span>
              <span>{test?.name}</span>
              <RelativeTime at={createdAt} />
            </summary>
            {problems.map((problem) => (
              <p key={problem} className="field-error">
                {problem}
              </p>
            ))}
            <TestLink address={address} test={test} />
            <JsonBlock label={workflows.values} json={workflowEvent as string} />
          </details>
        ))}
      </Section>
      {editing && <EditWorkflowDialog workflow={workflow} close={() => setEditing(false)} />}
    </Page>
  );
}

function TestLink(props: {
  address: { organization: string; suite: string };
  test: { readonly uuid: string; readonly name: string; readonly scope: string } | null | undefined;
}) {
  const { address, test } = props;
  if (!test) return null;
  return (
    <Link
      to="/organizations/$organization/analytics/suites/$suite/tests/$test"
      params={{ ...address, test: test.uuid }}
    >
      {test.scope === '' ? test.name : `${test.scope} ${test.name}`}
    </Link>
  );
}
