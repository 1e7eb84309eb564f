import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { memberPageQuery } from '../../__generated__/memberPageQuery.graphql';
import type { memberPageRemoveMutation } from '../../__generated__/memberPageRemoveMutation.graphql';
import type {
  memberPageRoleMutation,
  OrganizationMemberRole,
} from '../../__generated__/memberPageRoleMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { SelectField } from '../../ui/field';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { BuildRow } from '../pipelines/build-row';

const route = getRouteApi('/organizations/$organization/users/$user');

const document = graphql`
  query memberPageQuery($organization: ID!, $user: ID!, $creator: String!) {
    organization(slug: $organization) {
      member(user: $user) {
        id
        role
        createdAt
        lastSeenAt
        permissions {
          organizationMemberUpdate {
            allowed
          }
          organizationMemberDelete {
            allowed
          }
        }
        user {
          name
          email
          bot
        }
        teams(first: 100) {
          edges {
            node {
              id
              role
              team {
                name
                slug
              }
            }
          }
        }
      }
      builds(first: 10, creator: $creator) {
        nodes {
          id
          ...buildRow_build
        }
      }
    }
  }
`;

const roleDocument = graphql`
  mutation memberPageRoleMutation($input: OrganizationMemberUpdateInput!) {
    organizationMemberUpdate(input: $input) {
      organizationMember {
        id
        role
      }
    }
  }
`;

const removeDocument = graphql`
  mutation memberPageRemoveMutation($input: OrganizationMemberDeleteInput!) {
    organizationMemberDelete(input: $input) {
      deletedOrganizationMemberID
    }
  }
`;

/** A member of an organization: role, teams, last builds. */
export function MemberPage() {
  const { organization, user } = route.useParams();
  const navigate = useNavigate();
  const data = useLazyLoadQuery<memberPageQuery>(
    document,
    { organization, user, creator: user },
    { fetchPolicy: 'store-and-network' },
  );
  const role = useCommand<memberPageRoleMutation>(roleDocument);
  const member = data.organization?.member;
  if (!member) return <NotFound />;
  const builds = data.organization.builds?.nodes ?? [];
  const { roles } = texts.members;
  return (
    <Page
      title={member.user.name}
      crumbs={
        <Link to="/organizations/$organization/users" params={{ organization }}>
          {texts.resources.members}
        </Link>
      }
      actions={
        member.permissions.organizationMemberDelete?.allowed && (
          <ConfirmButton<memberPageRemoveMutation>
            label={texts.common.remove}
            question={texts.common.removeQuestion(member.user.name)}
            mutation={removeDocument}
            input={{ id: member.id }}
            done={() => void navigate({ to: '/organizations/$organization/users', params: { organization } })}
          />
        )
      }
    >
      <dl className="facts card card-body">
        <dt>{texts.fields.email}</dt>
        <dd>{member.user.email}</dd>
        <dt>{texts.fields.role}</dt>
        <dd>
          {member.permissions.organizationMemberUpdate?.allowed ? (
            <SelectField
              label={texts.fields.role}
              hideLabel
              value={member.role}
              choices={[
                { value: 'MEMBER', label: roles.MEMBER },
                { value: 'ADMIN', label: roles.ADMIN },
              ]}
              onChange={(next) => void role.run({ input: { id: member.id, role: next as OrganizationMemberRole } })}
            />
          ) : (
            roles[member.role]
          )}
        </dd>
        <dt>{texts.members.since}</dt>
        <dd>
          <RelativeTime at={member.createdAt} />
        </dd>
        <dt>{texts.fields.lastSeen}</dt>
        <dd>{member.lastSeenAt ? <RelativeTime at={member.lastSeenAt} /> : texts.common.never}</dd>
        <dt>{texts.resources.teams}</dt>
        <dd className="row row-wrap">
          {nodesOf(member.teams).map(({ id, team }) => (
            <Link
              key={id}
              className="tag"
              to="/organizations/$organization/teams/$team"
              params={{ organization, team: team?.slug ?? '' }}
            >
              {team?.name}
            </Link>
          ))}
        </dd>
      </dl>
      <Section title={texts.pipeline.builds}>
        {builds.length > 0 ? (
          <ul className="card">
            {builds.map((build) => (
              <BuildRow key={build.id} build={build} withPipeline />
            ))}
          </ul>
        ) : (
          <p className="card card-body muted">{texts.members.noBuilds}</p>
        )}
      </Section>
    </Page>
  );
}
