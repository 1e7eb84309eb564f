import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { servicePageDeleteMutation } from '../../__generated__/servicePageDeleteMutation.graphql';
import type { servicePageDisableMutation } from '../../__generated__/servicePageDisableMutation.graphql';
import type { servicePageEnableMutation } from '../../__generated__/servicePageEnableMutation.graphql';
import type { servicePagePingMutation } from '../../__generated__/servicePagePingMutation.graphql';
import type { servicePageQuery } from '../../__generated__/servicePageQuery.graphql';
import type { servicePageUpdateMutation } from '../../__generated__/servicePageUpdateMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { FormFrame } from '../../ui/form';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { useForm } from '../../ui/use-form';
import { NotificationDeliveries } from './notification-deliveries';
import { type Notifiable, ServiceFields, serviceInput, type ServiceValues } from './service-fields';
import { takesPings, typedSettings } from './service-settings';

const route = getRouteApi('/organizations/$organization/notification-services/$service');

const document = graphql`
  query servicePageQuery($service: ID!) {
    meta {
      notificationEvents
      notificationStates
    }
    notificationService(uuid: $service) {
      id
      enabled
      brokenAt
      provider
      name
      ...servicePage_settings @relay(mask: false)
      ...notificationDeliveries_service
    }
  }
`;

export const serviceSettings = graphql`
  fragment servicePage_settings on NotificationService {
    settings
    tokenSet
    description
    url
    tokenMode
    tlsVerify
    branchConfiguration
    events
    buildStates
  }
`;

const updateDocument = graphql`
  mutation servicePageUpdateMutation($input: NotificationServiceUpdateInput!) {
    notificationServiceUpdate(input: $input) {
      notificationService {
        id
        ...servicePage_settings @relay(mask: false)
      }
    }
  }
`;

const enableDocument = graphql`
  mutation servicePageEnableMutation($input: NotificationServiceEnableInput!) {
    notificationServiceEnable(input: $input) {
      notificationService {
        id
        enabled
      }
    }
  }
`;

const disableDocument = graphql`
  mutation servicePageDisableMutation($input: NotificationServiceDisableInput!) {
    notificationServiceDisable(input: $input) {
      notificationService {
        id
        enabled
      }
    }
  }
`;

const pingDocument = graphql`
  mutation servicePagePingMutation($input: NotificationServicePingInput!) {
    notificationServicePing(input: $input) {
      clientMutationId
    }
  }
`;

const deleteDocument = graphql`
  mutation servicePageDeleteMutation($input: NotificationServiceDeleteInput!) {
    notificationServiceDelete(input: $input) {
      deletedNotificationServiceId
    }
  }
`;

/** A notification service: what it is sent, and every delivery with its attempts. */
export function ServicePage() {
  const { organization, service: uuid } = route.useParams();
  const navigate = useNavigate();
  const [fetchKey, refetch] = useRefetchKey();
  const { meta, notificationService } = useLazyLoadQuery<servicePageQuery>(
    document,
    { service: uuid },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  const enable = useCommand<servicePageEnableMutation>(enableDocument);
  const disable = useCommand<servicePageDisableMutation>(disableDocument);
  const ping = useCommand<servicePagePingMutation>(pingDocument);
  const service = notificationService;
  if (!service) return <NotFound />;
  const input = { id: service.id };
  const sendPing = async () => {
    if (!(await ping.run({ input }))) return;
    showToast({ text: texts.notifications.pinged });
    refetch();
  };
  return (
    <Page
      title={service.description || texts.resources.notifications}
      crumbs={
        <Link to="/organizations/$organization/notification-services" params={{ organization }}>
          {texts.resources.notifications}
        </Link>
      }
      actions={
        <>
          <span className="tag">{service.name}</span>
          {!service.enabled && <span className="tag">{texts.notifications.disabled}</span>}
          {takesPings(service.provider) && (
            <button type="button" className="button" disabled={ping.pending} onClick={() => void sendPing()}>
              {texts.notifications.ping}
            </button>
          )}
          <button
            type="button"
            className="button"
            disabled={enable.pending || disable.pending}
            onClick={() => void (service.enabled ? disable : enable).run({ input })}
          >
            {service.enabled ? texts.common.disable : texts.common.enable}
          </button>
          <ConfirmButton<servicePageDeleteMutation>
            label={texts.common.delete}
            question={texts.common.deleteQuestion(service.description || texts.resources.notifications)}
            mutation={deleteDocument}
            input={input}
            done={() =>
              void navigate({ to: '/organizations/$organization/notification-services', params: { organization } })
            }
          />
        </>
      }
    >
      {service.brokenAt && (
        <p role="alert" className="field-error">
          {texts.notifications.broken} <RelativeTime at={service.brokenAt} />
        </p>
      )}
      <NotificationDeliveries service={service} refetch={refetch} />
      <ServiceForm
        key={service.id}
        id={service.id}
        tokenSet={service.tokenSet}
        notifiable={meta}
        values={{
          provider: service.provider,
          settings: typedSettings(service.provider, service.settings as string | null),
          description: service.description,
          url: service.url,
          token: '',
          tokenMode: service.tokenMode,
          tlsVerify: service.tlsVerify,
          branches: service.branchConfiguration,
          events: [...service.events],
          states: [...service.buildStates],
        }}
      />
    </Page>
  );
}

function ServiceForm(props: { id: string; tokenSet: boolean; notifiable: Notifiable; values: ServiceValues }) {
  const { id, tokenSet, notifiable, values } = props;
  const form = useForm<ServiceValues, servicePageUpdateMutation>(updateDocument, {
    key: `service:${id}`,
    secret: true,
    initial: values,
    variables: (next) => ({ input: { id, ...serviceInput(next) } }),
    done: () => showToast({ text: texts.common.saved }),
  });
  return (
    <FormFrame form={form} submit={texts.common.save}>
      <h2>{texts.shell.nav.settings}</h2>
      <ServiceFields form={form} isNew={false} tokenSet={tokenSet} notifiable={notifiable} />
    </FormFrame>
  );
}
