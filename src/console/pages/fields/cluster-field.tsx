import { graphql, useLazyLoadQuery } from 'react-relay';
import type { clusterFieldQuery } from '../../__generated__/clusterFieldQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';

const document = graphql`
  query clusterFieldQuery($organization: ID!) {
    organization(slug: $organization) {
      clusters(first: 200) {
        edges {
          node {
            id
            name
          }
        }
      }
    }
  }
`;

/** The cluster whose agents run the jobs. */
export function ClusterField(props: {
  organization: string;
  value: string;
  error: string | undefined;
  onChange: (id: string) => void;
}) {
  const { organization, ...field } = props;
  const data = useLazyLoadQuery<clusterFieldQuery>(document, { organization });
  return (
    <SelectField
      label={texts.newPipeline.cluster}
      {...field}
      choices={[
        ...(props.value ? [] : [{ value: '', label: texts.common.none }]),
        ...nodesOf(data.organization?.clusters).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
