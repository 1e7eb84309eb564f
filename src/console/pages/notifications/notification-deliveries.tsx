import { graphql, usePaginationFragment } from 'react-relay';
import type {
  notificationDeliveries_service$data,
  notificationDeliveries_service$key,
} from '../../__generated__/notificationDeliveries_service.graphql';
import type { notificationDeliveriesMoreQuery } from '../../__generated__/notificationDeliveriesMoreQuery.graphql';
import type { notificationDeliveriesRedeliverMutation } from '../../__generated__/notificationDeliveriesRedeliverMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { JsonBlock } from '../../ui/json-block';
import { More } from '../../ui/more';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { durationText } from '../../ui/time-text';
import { showToast } from '../../ui/toast';

const fragment = graphql`
  fragment notificationDeliveries_service on NotificationService
  @refetchable(queryName: "notificationDeliveriesMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 30 }, cursor: { type: "String" }) {
    id
    deliveries(first: $count, after: $cursor) @connection(key: "notificationDeliveries_deliveries") {
      edges {
        node {
          uuid
          event
          state
          attempts
          createdAt
          attemptedAt
          nextAttemptAt
          durationInMilliseconds
          error
          responseStatus
          responseBody
          redeliveryOf
          payload
        }
      }
    }
  }
`;

const mutation = graphql`
  mutation notificationDeliveriesRedeliverMutation($input: NotificationDeliveryRedeliverInput!) {
    notificationDeliveryRedeliver(input: $input) {
      notificationDelivery {
        uuid
      }
    }
  }
`;

type Deliveries = NonNullable<NonNullable<notificationDeliveries_service$data['deliveries']>['edges']>;
type Delivery = NonNullable<NonNullable<Deliveries[number]>['node']>;

const tones: Record<string, string> = { delivered: 'tone-passed', failed: 'tone-failed' };

/** What was sent to a service, newest first; each can be sent again. */
export function NotificationDeliveries(props: { service: notificationDeliveries_service$key; refetch: () => void }) {
  const { data, ...more } = usePaginationFragment<notificationDeliveriesMoreQuery, notificationDeliveries_service$key>(
    fragment,
    props.service,
  );
  const redeliver = useCommand<notificationDeliveriesRedeliverMutation>(mutation);
  const again = async (deliveryUuid: string) => {
    if (!(await redeliver.run({ input: { id: data.id, deliveryUuid } }))) return;
    showToast({ text: texts.notifications.sentAgain });
    props.refetch();
  };
  const deliveries = nodesOf(data.deliveries);
  return (
    <Section title={texts.notifications.deliveries}>
      {deliveries.length === 0 ? (
        <p className="card card-body muted">{texts.notifications.noDeliveries}</p>
      ) : (
        <ul className="card">
          {deliveries.map((delivery) => (
            <li key={delivery.uuid}>
              <details className="entry">
                <summary>
                  <span className={`state state-pill ${tones[delivery.state] ?? 'tone-waiting'}`}>
                    {delivery.state}
                  </span>
                  <span className="grow">
                    {delivery.event}{' '}
                    <span className="muted">
                      {delivery.responseStatus ?? delivery.error}{' '}
                      {delivery.attempts > 1 && texts.notifications.attempts(delivery.attempts)}
                    </span>
                  </span>
                  {delivery.redeliveryOf && <span className="tag">{texts.notifications.redelivery}</span>}
                  <RelativeTime at={delivery.createdAt} />
                </summary>
                <Details delivery={delivery}>
                  <button
                    type="button"
                    className="button"
                    disabled={redeliver.pending || delivery.state === 'pending'}
                    onClick={() => void again(delivery.uuid)}
                  >
                    {texts.notifications.redeliver}
                  </button>
                </Details>
              </details>
            </li>
          ))}
        </ul>
      )}
      <More {...more} />
    </Section>
  );
}

function Details({ delivery, children }: { delivery: Delivery; children: React.ReactNode }) {
  return (
    <div className="card-body stack">
      <div>{children}</div>
      <dl className="facts">
        {delivery.error && (
          <>
            <dt>{texts.settings.problem}</dt>
            <dd>{delivery.error}</dd>
          </>
        )}
        <dt>{texts.notifications.lastAttempt}</dt>
        <dd>
          <RelativeTime at={delivery.attemptedAt} />{' '}
          {delivery.durationInMilliseconds != null && durationText(delivery.durationInMilliseconds)}
        </dd>
        {delivery.nextAttemptAt && (
          <>
            <dt>{texts.notifications.nextAttempt}</dt>
            <dd>
              <RelativeTime at={delivery.nextAttemptAt} />
            </dd>
          </>
        )}
        {delivery.responseStatus != null && (
          <>
            <dt>{texts.notifications.response}</dt>
            <dd>
              {delivery.responseStatus} <code>{delivery.responseBody}</code>
            </dd>
          </>
        )}
      </dl>
      <JsonBlock label={texts.notifications.payload} json={delivery.payload} />
    </div>
  );
}
