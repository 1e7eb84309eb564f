import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { templatesPageQuery } from '../../__generated__/templatesPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization/pipeline-templates');

const document = graphql`
  query templatesPageQuery($organization: ID!) {
    organization(slug: $organization) {
      pipelineTemplates(first: 100) {
        edges {
          node {
            id
            name
            description
            available
            updatedAt
          }
        }
      }
    }
  }
`;

export function TemplatesPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<templatesPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  if (!data.organization) return <NotFound />;
  const items = data.organization.pipelineTemplates?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page title={texts.resources.templates}>
      <Table
        label={texts.resources.templates}
        items={items}
        keyOf={({ id }) => id}
        empty={texts.resources.noTemplates}
        columns={[
          { title: texts.fields.name, cell: ({ name }) => name },
          { title: texts.fields.description, cell: ({ description }) => description },
          { title: texts.fields.available, cell: ({ available }) => (available ? '✓' : '') },
          { title: texts.fields.created, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
        ]}
      />
    </Page>
  );
}
