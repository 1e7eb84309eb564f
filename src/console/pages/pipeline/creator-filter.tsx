import { graphql, useLazyLoadQuery } from 'react-relay';
import type { creatorFilterQuery } from '../../__generated__/creatorFilterQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ChoiceFilter } from '../../ui/filters';

const document = graphql`
  query creatorFilterQuery($organization: ID!) {
    viewer {
      user {
        uuid
        name
      }
    }
    organization(slug: $organization) {
      members(first: 200, order: NAME) {
        edges {
          node {
            id
            user {
              uuid
              name
            }
          }
        }
      }
    }
  }
`;

interface Props {
  organization: string;
  /** UUID of a user. */
  value: string | undefined;
  onChange: (uuid: string) => void;
}

/** Whose builds are shown, by name: oneself first. */
export function CreatorFilter({ organization, value, onChange }: Props) {
  const { viewer, organization: read } = useLazyLoadQuery<creatorFilterQuery>(
    document,
    { organization },
    { fetchPolicy: 'store-or-network' },
  );
  const own = viewer?.user;
  const others = nodesOf(read?.members)
    .map(({ user }) => user)
    .filter(({ uuid }) => uuid !== own?.uuid);
  const people = [...(own ? [{ ...own, name: texts.pipeline.me(own.name) }] : []), ...others];
  // An address may name somebody who has left the organization, or is beyond the first two hundred.
  const isListed = value === undefined || people.some(({ uuid }) => uuid === value);
  return (
    <ChoiceFilter
      label={texts.pipeline.creator}
      any={texts.pipeline.anyCreator}
      value={value}
      onChange={onChange}
      choices={[...people, ...(isListed ? [] : [{ uuid: value, name: value }])].map(({ uuid, name }) => ({
        value: uuid,
        label: name,
      }))}
    />
  );
}
