import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { organizationPageQuery } from '../../__generated__/organizationPageQuery.graphql';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { ApiSettingsForm } from './api-settings-form';
import { BannerForm } from './banner-form';
import { Connections } from './connections';
import { PipelineDefaultsForm } from './pipeline-defaults-form';
import { StorageSection } from './storage-section';

const route = getRouteApi('/organizations/$organization');

const document = graphql`
  query organizationPageQuery($organization: ID!) {
    organization(slug: $organization) {
      name
      slug
      uuid
      createdAt
      permissions {
        organizationUpdate {
          allowed
        }
      }
      rateLimits {
        api
        sharedBy
        limit
        windowSeconds
        used
      }
      ...bannerForm_organization
      ...apiSettingsForm_organization
      ...pipelineDefaultsForm_organization
      ...connections_organization
      ...storageSection_organization
    }
  }
`;

/** Settings of an organization, and its rate limits. */
export function OrganizationPage() {
  const { organization } = route.useParams();
  const [fetchKey, refetch] = useRefetchKey();
  const data = useLazyLoadQuery<organizationPageQuery>(
    document,
    { organization },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  const reply = data.organization;
  if (!reply) return <NotFound />;
  const mayChange = reply.permissions.organizationUpdate?.allowed ?? false;
  const { limits } = texts.organization;
  return (
    <Page title={reply.name}>
      <dl className="facts card card-body">
        <dt>{texts.organization.slug}</dt>
        <dd>
          <code>{reply.slug}</code>
        </dd>
        <dt>UUID</dt>
        <dd>
          <code>{reply.uuid}</code>
        </dd>
        <dt>{texts.fields.created}</dt>
        <dd>
          <RelativeTime at={reply.createdAt} />
        </dd>
      </dl>
      {mayChange && (
        <>
          <BannerForm organization={reply} />
          <ApiSettingsForm organization={reply} />
          <PipelineDefaultsForm organization={reply} />
          <Connections organization={reply} refetch={refetch} />
          <StorageSection organization={reply} />
        </>
      )}
      <Section title={limits.title}>
        <Table
          label={limits.title}
          items={reply.rateLimits}
          keyOf={({ api, sharedBy }) => `${api} ${sharedBy}`}
          empty={limits.none}
          columns={[
            { title: limits.api, cell: ({ api }) => (limits.apis as Record<string, string>)[api] ?? api },
            { title: limits.who, cell: ({ sharedBy }) => (sharedBy === 'user' ? limits.you : limits.everybody) },
            {
              title: limits.limit,
              cell: ({ api, limit, windowSeconds }) =>
                limit == null ? limits.unlimited : limits.per(limit, api === 'graphql', windowSeconds),
            },
            { title: limits.used, cell: ({ used }) => used },
          ]}
        />
      </Section>
    </Page>
  );
}
