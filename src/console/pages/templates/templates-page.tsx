import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { templatesPage_organization$key } from '../../__generated__/templatesPage_organization.graphql';
import type { templatesPageQuery } from '../../__generated__/templatesPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ListPage } from '../../ui/list-page';
import { PagedTable } from '../../ui/paged-table';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';
import { NewTemplateDialog } from './template-dialog';

const route = getRouteApi('/organizations/$organization/pipeline-templates');

const document = graphql`
  query templatesPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      permissions {
        organizationUpdate {
          allowed
        }
      }
      ...templatesPage_organization
    }
  }
`;

const fragment = graphql`
  fragment templatesPage_organization on Organization
  @refetchable(queryName: "templatesPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    slug
    pipelineTemplates(first: $count, after: $cursor) @connection(key: "templatesPage_pipelineTemplates") {
      edges {
        node {
          id
          uuid
          name
          description
          available
          updatedAt
        }
      }
    }
  }
`;

/** Pipeline templates of an organization. */
export function TemplatesPage() {
  const { organization } = route.useParams();
  const navigate = useNavigate();
  const data = useLazyLoadQuery<templatesPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  const found = data.organization;
  if (!found) return <NotFound />;
  return (
    <ListPage
      title={texts.resources.templates}
      making={
        found.permissions.organizationUpdate?.allowed && {
          text: texts.templates.new,
          dialog: (close) => (
            <NewTemplateDialog
              organization={organization}
              organizationId={found.id}
              close={close}
              done={(template) =>
                void navigate({
                  to: '/organizations/$organization/pipeline-templates/$template',
                  params: { organization, template },
                })
              }
            />
          ),
        }
      }
    >
      <List organization={found} />
    </ListPage>
  );
}

function List({ organization }: { organization: templatesPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<templatesPageQuery, templatesPage_organization$key>(
    fragment,
    organization,
  );
  return (
    <PagedTable
      more={more}
      label={texts.resources.templates}
      items={nodesOf(data.pipelineTemplates)}
      keyOf={({ id }) => id}
      empty={texts.resources.noTemplates}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ uuid, name }) => (
            <Link
              to="/organizations/$organization/pipeline-templates/$template"
              params={{ organization: data.slug, template: uuid }}
            >
              {name}
            </Link>
          ),
        },
        { title: texts.fields.description, cell: ({ description }) => description },
        { title: texts.fields.available, cell: ({ available }) => (available ? texts.common.yes : texts.common.no) },
        { title: texts.fields.updated, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
      ]}
    />
  );
}
