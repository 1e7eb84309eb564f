import { graphql, useLazyLoadQuery } from 'react-relay';
import type { suiteFieldQuery } from '../../__generated__/suiteFieldQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { PickField, type PickFieldProps } from './pick-field';

const document = graphql`
  query suiteFieldQuery($organization: ID!, $search: String) {
    organization(slug: $organization) {
      suites(first: 20, search: $search, order: NAME) {
        edges {
          node {
            id
            slug
            name
          }
        }
      }
    }
  }
`;

/** A test suite of the organization, by its slug. */
export function SuiteField({ organization, ...rest }: PickFieldProps & { organization: string }) {
  const useOptions = (search: string) => {
    const data = useLazyLoadQuery<suiteFieldQuery>(document, { organization, search: search || null });
    return nodesOf(data.organization?.suites).map(({ id, slug, name }) => ({ id, text: slug, label: name }));
  };
  return <PickField {...rest} useOptions={useOptions} />;
}
