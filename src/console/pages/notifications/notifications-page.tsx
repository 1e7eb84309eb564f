import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { notificationsPage_organization$key } from '../../__generated__/notificationsPage_organization.graphql';
import type { notificationsPageCreateMutation } from '../../__generated__/notificationsPageCreateMutation.graphql';
import type { notificationsPageQuery } from '../../__generated__/notificationsPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { FormDialog } from '../../ui/form';
import { More } from '../../ui/more';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { useForm } from '../../ui/use-form';
import { newService, ServiceFields, serviceInput, type ServiceValues } from './service-fields';

const route = getRouteApi('/organizations/$organization/notification-services');

const document = graphql`
  query notificationsPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      permissions {
        notificationServiceUpdate {
          allowed
        }
      }
      ...notificationsPage_organization
    }
  }
`;

const fragment = graphql`
  fragment notificationsPage_organization on Organization
  @refetchable(queryName: "notificationsPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    slug
    notificationServices(first: $count, after: $cursor) @connection(key: "notificationsPage_notificationServices") {
      edges {
        node {
          id
          uuid
          description
          enabled
          url
          events
        }
      }
    }
  }
`;

const createDocument = graphql`
  mutation notificationsPageCreateMutation($input: NotificationServiceCreateInput!) {
    notificationServiceCreate(input: $input) {
      notificationService {
        uuid
      }
    }
  }
`;

/** Receivers of the organization's events. */
export function NotificationsPage() {
  const { organization } = route.useParams();
  const [creating, setCreating] = useState(false);
  const data = useLazyLoadQuery<notificationsPageQuery>(
    document,
    { organization },
    { fetchPolicy: 'store-and-network' },
  );
  const found = data.organization;
  if (!found) return <NotFound />;
  return (
    <Page
      title={texts.resources.notifications}
      actions={
        found.permissions.notificationServiceUpdate?.allowed && (
          <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
            {texts.notifications.new}
          </button>
        )
      }
    >
      <List organization={found} />
      {creating && (
        <NewService organization={organization} organizationId={found.id} close={() => setCreating(false)} />
      )}
    </Page>
  );
}

function List({ organization }: { organization: notificationsPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<notificationsPageQuery, notificationsPage_organization$key>(
    fragment,
    organization,
  );
  return (
    <>
      <Table
        label={texts.resources.notifications}
        items={nodesOf(data.notificationServices)}
        keyOf={({ id }) => id}
        empty={texts.resources.noNotifications}
        columns={[
          {
            title: texts.fields.description,
            cell: ({ uuid, description }) => (
              <Link
                to="/organizations/$organization/notification-services/$service"
                params={{ organization: data.slug, service: uuid }}
              >
                {description || uuid}
              </Link>
            ),
          },
          { title: texts.notifications.url, cell: ({ url }) => <code>{url}</code> },
          { title: texts.notifications.events, cell: ({ events }) => events.length },
          {
            title: texts.fields.state,
            cell: ({ enabled }) => (enabled ? texts.notifications.enabled : texts.notifications.disabled),
          },
        ]}
      />
      <More {...more} />
    </>
  );
}

function NewService(props: { organization: string; organizationId: string; close: () => void }) {
  const { organization } = props;
  const navigate = useNavigate();
  // Holds a token, which is kept nowhere but in the page.
  const form = useForm<ServiceValues, notificationsPageCreateMutation>(createDocument, {
    key: `service:${props.organizationId}`,
    secret: true,
    initial: newService,
    variables: (values) => ({ input: { organizationId: props.organizationId, ...serviceInput(values) } }),
    done: (response) =>
      void navigate({
        to: '/organizations/$organization/notification-services/$service',
        params: { organization, service: response.notificationServiceCreate?.notificationService.uuid ?? '' },
      }),
  });
  return (
    <FormDialog title={texts.notifications.new} form={form} submit={texts.common.create} close={props.close} wide>
      <ServiceFields form={form} tokenSet={false} />
    </FormDialog>
  );
}
