import { graphql, useLazyLoadQuery } from 'react-relay';
import type { pipelineFieldQuery } from '../../__generated__/pipelineFieldQuery.graphql';
import { PickField, type PickFieldProps } from './pick-field';

const document = graphql`
  query pipelineFieldQuery($organization: ID!, $search: String) {
    organization(slug: $organization) {
      pipelines(first: 20, search: $search, order: NAME) {
        nodes {
          id
          slug
          name
        }
      }
    }
  }
`;

/** A pipeline of the organization, by its slug. */
export function PipelineField({ organization, ...rest }: PickFieldProps & { organization: string }) {
  const useOptions = (search: string) => {
    const data = useLazyLoadQuery<pipelineFieldQuery>(document, { organization, search: search || null });
    return (data.organization?.pipelines?.nodes ?? []).map(({ id, slug, name }) => ({ id, text: slug, label: name }));
  };
  return <PickField {...rest} useOptions={useOptions} />;
}
