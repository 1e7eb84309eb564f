import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { organizationPageQuery } from '../../__generated__/organizationPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization');

const document = graphql`
  query organizationPageQuery($organization: ID!) {
    organization(slug: $organization) {
      name
      slug
      uuid
      createdAt
      allowedApiIpAddresses
      pipelineSettings {
        defaultCluster {
          name
        }
      }
    }
  }
`;

export function OrganizationPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<organizationPageQuery>(document, { organization });
  const found = data.organization;
  if (!found) return <NotFound />;
  return (
    <Page title={found.name}>
      <dl className="facts card card-body">
        <dt>{texts.fields.key}</dt>
        <dd>
          <code>{found.slug}</code>
        </dd>
        <dt>UUID</dt>
        <dd>
          <code>{found.uuid}</code>
        </dd>
        <dt>{texts.fields.created}</dt>
        <dd>
          <RelativeTime at={found.createdAt} />
        </dd>
        <dt>{texts.resources.defaultCluster}</dt>
        <dd>{found.pipelineSettings?.defaultCluster?.name ?? texts.common.none}</dd>
        <dt>{texts.fields.address}</dt>
        <dd>{found.allowedApiIpAddresses ?? texts.common.all}</dd>
      </dl>
    </Page>
  );
}
