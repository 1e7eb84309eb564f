import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { rulesPageQuery } from '../../__generated__/rulesPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization/rules');

const document = graphql`
  query rulesPageQuery($organization: ID!) {
    organization(slug: $organization) {
      rules(first: 100) {
        edges {
          node {
            id
            type
            description
            action
            source {
              ... on Pipeline {
                sourceName: name
              }
            }
            target {
              ... on Pipeline {
                targetName: name
              }
            }
            createdAt
          }
        }
      }
    }
  }
`;

export function RulesPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<rulesPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  if (!data.organization) return <NotFound />;
  const items = data.organization.rules?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page title={texts.resources.rules}>
      <Table
        label={texts.resources.rules}
        items={items}
        keyOf={({ id }) => id}
        empty={texts.resources.noRules}
        columns={[
          { title: texts.fields.action, cell: ({ type }) => <code>{type}</code> },
          { title: texts.fields.source, cell: ({ source }) => source?.sourceName },
          { title: texts.fields.target, cell: ({ target }) => target?.targetName },
          { title: texts.fields.description, cell: ({ description }) => description },
          { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
