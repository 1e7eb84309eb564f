import { graphql, useLazyLoadQuery } from 'react-relay';
import type { memberFieldQuery } from '../../__generated__/memberFieldQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { PickField, type PickFieldProps } from './pick-field';

const document = graphql`
  query memberFieldQuery($organization: ID!, $search: String) {
    organization(slug: $organization) {
      members(first: 20, search: $search, order: NAME) {
        edges {
          node {
            id
            user {
              id
              name
              email
            }
          }
        }
      }
    }
  }
`;

/** A member of the organization, by their email address; picks the GraphQL ID of the user. */
export function MemberField({ organization, ...rest }: PickFieldProps & { organization: string }) {
  const useOptions = (search: string) => {
    const data = useLazyLoadQuery<memberFieldQuery>(document, { organization, search: search || null });
    return nodesOf(data.organization?.members).map(({ user }) => ({ id: user.id, text: user.email, label: user.name }));
  };
  return <PickField {...rest} useOptions={useOptions} />;
}
