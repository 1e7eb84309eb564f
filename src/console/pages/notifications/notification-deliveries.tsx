import { graphql, usePaginationFragment } from 'react-relay';
import type { notificationDeliveries_service$key } from '../../__generated__/notificationDeliveries_service.graphql';
import type { notificationDeliveriesMoreQuery } from '../../__generated__/notificationDeliveriesMoreQuery.graphql';
import type { notificationDeliveriesRedeliverMutation } from '../../__generated__/notificationDeliveriesRedeliverMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { More } from '../../ui/more';
import { Section } from '../../ui/section';
import { showToast } from '../../ui/toast';
import { DeliveryList } from './delivery-list';

const fragment = graphql`
  fragment notificationDeliveries_service on NotificationService
  @refetchable(queryName: "notificationDeliveriesMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 30 }, cursor: { type: "String" }) {
    id
    deliveries(first: $count, after: $cursor) @connection(key: "notificationDeliveries_deliveries") {
      edges {
        node {
          ...deliveryList_delivery
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
        <DeliveryList
          deliveries={deliveries}
          redelivers={redeliver.pending}
          redeliver={(delivery) => void again(delivery)}
        />
      )}
      <More {...more} />
    </Section>
  );
}
