import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { notificationsPageCreateMutation } from '../../__generated__/notificationsPageCreateMutation.graphql';
import type { notificationsPageQuery } from '../../__generated__/notificationsPageQuery.graphql';
import type { notificationsPage_organization$data } from '../../__generated__/notificationsPage_organization.graphql';
import { texts } from '../../texts/texts';
import { FormDialog } from '../../ui/form';
import { ListPage } from '../../ui/list-page';
import { useForm } from '../../ui/use-form';
import { newService, type Notifiable, ServiceFields, serviceInput, type ServiceValues } from './service-fields';

const route = getRouteApi('/organizations/$organization/notification-services');

const document = graphql`
  query notificationsPageQuery($organization: ID!) {
    meta {
      notificationEvents
      notificationStates
    }
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
    notificationServices(first: $count, after: $cursor) @connection(key: "notificationsPage_notificationServices") {
      edges {
        node {
          id
          uuid
          description
          enabled
          provider
          name
          url
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
  return (
    <ListPage<notificationsPageQuery, notificationsPage_organization$data, 'notificationServices'>
      title={texts.resources.notifications}
      query={document}
      variables={{ organization }}
      fragment={fragment}
      connection="notificationServices"
      empty={texts.resources.noNotifications}
      columns={[
        {
          title: texts.fields.description,
          cell: ({ uuid, description }) => (
            <Link
              to="/organizations/$organization/notification-services/$service"
              params={{ organization, service: uuid }}
            >
              {description || uuid}
            </Link>
          ),
        },
        { title: texts.notifications.provider, cell: ({ name }) => name },
        {
          title: texts.notifications.url,
          cell: ({ provider, url }) => (provider === 'webhook' ? <code>{url}</code> : null),
        },
        {
          title: texts.fields.state,
          cell: ({ enabled }) => (enabled ? texts.notifications.enabled : texts.notifications.disabled),
        },
      ]}
      creation={({ organization: { id, permissions }, response: { meta } }) =>
        permissions.notificationServiceUpdate?.allowed && {
          text: texts.notifications.new,
          dialog: (close) => (
            <NewService notifiable={meta} organization={organization} organizationId={id} close={close} />
          ),
        }
      }
    />
  );
}

function NewService(props: {
  notifiable: Notifiable;
  organization: string;
  organizationId: string;
  close: () => void;
}) {
  const { organization } = props;
  const navigate = useNavigate();
  // Holds a token, which is kept nowhere but in the page.
  const form = useForm<ServiceValues, notificationsPageCreateMutation>(createDocument, {
    key: `service:${props.organizationId}`,
    secret: true,
    initial: { ...newService, states: [...props.notifiable.notificationStates] },
    variables: (values) => ({
      input: { organizationId: props.organizationId, provider: values.provider, ...serviceInput(values) },
    }),
    done: (response) =>
      void navigate({
        to: '/organizations/$organization/notification-services/$service',
        params: { organization, service: response.notificationServiceCreate?.notificationService.uuid ?? '' },
      }),
  });
  return (
    <FormDialog title={texts.notifications.new} form={form} submit={texts.common.create} close={props.close} wide>
      <ServiceFields form={form} isNew tokenSet={false} notifiable={props.notifiable} />
    </FormDialog>
  );
}
