import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { rulesPageDeleteMutation } from '../../__generated__/rulesPageDeleteMutation.graphql';
import type { rulesPageQuery } from '../../__generated__/rulesPageQuery.graphql';
import type { rulesPage_organization$data } from '../../__generated__/rulesPage_organization.graphql';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { ListPage } from '../../ui/list-page';
import { RelativeTime } from '../../ui/time';
import { NewRuleDialog } from './rule-dialog';

const route = getRouteApi('/organizations/$organization/rules');

const document = graphql`
  query rulesPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      permissions {
        organizationUpdate {
          allowed
        }
      }
      ...rulesPage_organization
    }
  }
`;

const fragment = graphql`
  fragment rulesPage_organization on Organization
  @refetchable(queryName: "rulesPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    rules(first: $count, after: $cursor) @connection(key: "rulesPage_rules") {
      edges {
        node {
          id
          type
          description
          source {
            ... on Pipeline {
              name
              slug
            }
          }
          target {
            ... on Pipeline {
              name
              slug
            }
          }
          createdAt
        }
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation rulesPageDeleteMutation($input: RuleDeleteInput!) {
    ruleDelete(input: $input) {
      deletedRuleId
    }
  }
`;

/** What one pipeline of the organization may do with another. */
export function RulesPage() {
  const { organization } = route.useParams();
  const [fetchKey, refetch] = useRefetchKey();
  const link = (pipeline: { readonly name?: string; readonly slug?: string } | null | undefined) =>
    pipeline?.slug ? (
      <Link to="/$organization/$pipeline" params={{ organization, pipeline: pipeline.slug }}>
        {pipeline.name}
      </Link>
    ) : null;
  const typeText = (type: string) => (texts.rules.types as Record<string, string>)[type] ?? type;
  return (
    <ListPage<rulesPageQuery, rulesPage_organization$data, 'rules'>
      title={texts.resources.rules}
      query={document}
      variables={{ organization }}
      fetchKey={fetchKey}
      fragment={fragment}
      connection="rules"
      empty={texts.resources.noRules}
      columns={({ organization: { id: organizationId } }) => [
        { title: texts.fields.source, cell: ({ source }) => link(source) },
        { title: texts.fields.action, cell: ({ type }) => typeText(type) },
        { title: texts.fields.target, cell: ({ target }) => link(target) },
        { title: texts.fields.description, cell: ({ description }) => description },
        { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        {
          title: texts.common.actions,
          cell: ({ id, type }) => (
            <ConfirmButton<rulesPageDeleteMutation>
              label={texts.common.delete}
              question={texts.common.deleteQuestion(typeText(type))}
              mutation={deleteDocument}
              input={{ id, organizationId }}
              done={refetch}
            />
          ),
        },
      ]}
      creation={({ organization: { id, permissions } }) =>
        // Administrators alone see rules; they change them too.
        permissions.organizationUpdate?.allowed && {
          text: texts.rules.new,
          dialog: (close) => (
            <NewRuleDialog organization={organization} organizationId={id} close={close} done={refetch} />
          ),
        }
      }
      before={<p className="muted">{texts.rules.what}</p>}
    />
  );
}
