import { graphql, usePaginationFragment } from 'react-relay';
import type {
  workflowEvents_workflow$data,
  workflowEvents_workflow$key,
} from '../../../__generated__/workflowEvents_workflow.graphql';
import type { workflowEventsMoreQuery } from '../../../__generated__/workflowEventsMoreQuery.graphql';
import type { workflowEventsRedeliverMutation } from '../../../__generated__/workflowEventsRedeliverMutation.graphql';
import { nodesOf } from '../../../relay/nodes';
import { useCommand } from '../../../relay/use-command';
import { texts } from '../../../texts/texts';
import { JsonBlock } from '../../../ui/json-block';
import { More } from '../../../ui/more';
import { Empty } from '../../../ui/placeholder';
import { Section } from '../../../ui/section';
import { RelativeTime } from '../../../ui/time';
import { showToast } from '../../../ui/toast';
import { DeliveryList } from '../../notifications/delivery-list';
import type { SuiteAddress } from '../test-table';
import { TestLink } from './test-link';

const { workflows } = texts;

const fragment = graphql`
  fragment workflowEvents_workflow on TestWorkflow
  @refetchable(queryName: "workflowEventsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
    id
    events(first: $count, after: $cursor) @connection(key: "workflowEvents_events") {
      edges {
        node {
          uuid
          event
          createdAt
          workflowEvent
          problems
          test {
            name
            ...testLink_test
          }
          deliveries(first: 10) {
            edges {
              node {
                ...deliveryList_delivery
              }
            }
          }
        }
      }
    }
  }
`;

const mutation = graphql`
  mutation workflowEventsRedeliverMutation($input: SuiteWorkflowRedeliverInput!) {
    suiteWorkflowRedeliver(input: $input) {
      delivery {
        uuid
      }
    }
  }
`;

type Events = NonNullable<NonNullable<workflowEvents_workflow$data['events']>['edges']>;
type WorkflowEvent = NonNullable<NonNullable<Events[number]>['node']>;

/** What a workflow said, newest first, each event with its values and what it sent, which can be sent again. */
export function WorkflowEvents(props: {
  address: SuiteAddress;
  workflow: workflowEvents_workflow$key;
  refetch: () => void;
}) {
  const { data, ...more } = usePaginationFragment<workflowEventsMoreQuery, workflowEvents_workflow$key>(
    fragment,
    props.workflow,
  );
  const redeliver = useCommand<workflowEventsRedeliverMutation>(mutation);
  const again = async (event: string, delivery: string) => {
    if (!(await redeliver.run({ input: { id: data.id, event, delivery } }))) return;
    showToast({ text: texts.notifications.sentAgain });
    props.refetch();
  };
  const events = nodesOf(data.events);
  return (
    <Section title={workflows.events}>
      {events.length === 0 ? (
        <Empty>{workflows.noEvents}</Empty>
      ) : (
        <ul className="card">
          {events.map((event) => (
            <li key={event.uuid}>
              <Entry address={props.address} event={event}>
                <DeliveryList
                  deliveries={nodesOf(event.deliveries)}
                  redelivers={redeliver.pending}
                  redeliver={(delivery) => void again(event.uuid, delivery)}
                />
              </Entry>
            </li>
          ))}
        </ul>
      )}
      <More {...more} />
    </Section>
  );
}

function Entry(props: { address: SuiteAddress; event: WorkflowEvent; children: React.ReactNode }) {
  const { event, createdAt, workflowEvent, problems, test, deliveries } = props.event;
  return (
    <details className="entry">
      <summary>
        <span className={`state state-pill ${event === 'ALARM' ? 'tone-failed' : 'tone-passed'}`}>
          {workflows.eventNames[event]}
        </span>
        <span className="grow">{test?.name}</span>
        {problems.length > 0 && <span className="tag">{workflows.problems(problems.length)}</span>}
        <RelativeTime at={createdAt} />
      </summary>
      <div className="card-body stack">
        <TestLink address={props.address} test={test} />
        {problems.map((problem, index) => (
          <p key={index} className="field-error">
            {problem}
          </p>
        ))}
        {nodesOf(deliveries).length > 0 && (
          <div className="stack stack-s">
            <h3>{texts.notifications.deliveries}</h3>
            {props.children}
          </div>
        )}
        <JsonBlock label={workflows.values} json={workflowEvent as string} />
      </div>
    </details>
  );
}
