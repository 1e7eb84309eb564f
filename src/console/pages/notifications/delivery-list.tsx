import { graphql, useFragment } from 'react-relay';
import type {
  deliveryList_delivery$data,
  deliveryList_delivery$key,
} from '../../__generated__/deliveryList_delivery.graphql';
import { texts } from '../../texts/texts';
import { JsonBlock } from '../../ui/json-block';
import { RelativeTime } from '../../ui/time';
import { durationText } from '../../ui/time-text';

const fragment = graphql`
  fragment deliveryList_delivery on NotificationDelivery @relay(plural: true) {
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
`;

type Delivery = deliveryList_delivery$data[number];

const tones: Record<string, string> = { delivered: 'tone-passed', failed: 'tone-failed' };

/** Webhooks and messages that were sent, each with its last attempt; those that are not pending can be sent again. */
export function DeliveryList(props: {
  deliveries: deliveryList_delivery$key;
  /** Whether one is being sent again. */
  redelivers: boolean;
  redeliver: (uuid: string) => void;
}) {
  const deliveries = useFragment(fragment, props.deliveries);
  return (
    <ul className="card">
      {deliveries.map((delivery) => (
        <li key={delivery.uuid}>
          <details className="entry">
            <summary>
              <span className={`state state-pill ${tones[delivery.state] ?? 'tone-waiting'}`}>{delivery.state}</span>
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
                disabled={props.redelivers || delivery.state === 'pending'}
                onClick={() => props.redeliver(delivery.uuid)}
              >
                {texts.notifications.redeliver}
              </button>
            </Details>
          </details>
        </li>
      ))}
    </ul>
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
