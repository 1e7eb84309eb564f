import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { auditPageQuery } from '../../__generated__/auditPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization/audit-log');

const document = graphql`
  query auditPageQuery($organization: ID!) {
    organization(slug: $organization) {
      auditEvents(first: 100) {
        edges {
          node {
            id
            operation
            occurredAt
            actor {
              name
            }
            subject {
              name
              type
            }
          }
        }
      }
    }
  }
`;

export function AuditPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<auditPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  if (!data.organization) return <NotFound />;
  const items = data.organization.auditEvents?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page title={texts.resources.audit}>
      <Table
        label={texts.resources.audit}
        items={items}
        keyOf={({ id }) => id}
        empty={texts.resources.noAudit}
        columns={[
          { title: texts.build.when, cell: ({ occurredAt }) => <RelativeTime at={occurredAt} /> },
          { title: texts.build.event, cell: ({ operation }) => <code>{operation}</code> },
          { title: texts.build.actor, cell: ({ actor }) => actor?.name },
          { title: texts.fields.subject, cell: ({ subject }) => subject?.name },
        ]}
      />
    </Page>
  );
}
