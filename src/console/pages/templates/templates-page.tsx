import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { templatesPageQuery } from '../../__generated__/templatesPageQuery.graphql';
import type { templatesPage_organization$data } from '../../__generated__/templatesPage_organization.graphql';
import { texts } from '../../texts/texts';
import { ListPage } from '../../ui/list-page';
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
  const to = '/organizations/$organization/pipeline-templates/$template';
  return (
    <ListPage<templatesPageQuery, templatesPage_organization$data, 'pipelineTemplates'>
      title={texts.resources.templates}
      query={document}
      variables={{ organization }}
      fragment={fragment}
      connection="pipelineTemplates"
      empty={texts.resources.noTemplates}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ uuid, name }) => (
            <Link to={to} params={{ organization, template: uuid }}>
              {name}
            </Link>
          ),
        },
        { title: texts.fields.description, cell: ({ description }) => description },
        { title: texts.fields.available, cell: ({ available }) => (available ? texts.common.yes : texts.common.no) },
        { title: texts.fields.updated, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
      ]}
      creation={({ organization: { id, permissions } }) =>
        permissions.organizationUpdate?.allowed && {
          text: texts.templates.new,
          dialog: (close) => (
            <NewTemplateDialog
              organization={organization}
              organizationId={id}
              close={close}
              done={(template) => void navigate({ to, params: { organization, template } })}
            />
          ),
        }
      }
    />
  );
}
