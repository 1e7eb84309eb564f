import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { notificationsPageQuery } from '../../__generated__/notificationsPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';

const route = getRouteApi('/organizations/$organization/notification-services');

const document = graphql`
  query notificationsPageQuery($organization: ID!) {
    organization(slug: $organization) {
      notificationServices(first: 100) {
        edges {
          node {
            id
            name
            description
          }
        }
      }
    }
  }
`;

export function NotificationsPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<notificationsPageQuery>(
    document,
    { organization },
    { fetchPolicy: 'store-and-network' },
  );
  if (!data.organization) return <NotFound />;
  const items = data.organization.notificationServices?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page title={texts.resources.notifications}>
      <Table
        label={texts.resources.notifications}
        items={items}
        keyOf={({ id }) => id}
        empty={texts.resources.noNotifications}
        columns={[
          { title: texts.fields.name, cell: ({ name }) => name },
          { title: texts.fields.description, cell: ({ description }) => description },
        ]}
      />
    </Page>
  );
}
