import { graphql, useLazyLoadQuery } from 'react-relay';
import type { metaDataQuery } from '../../../__generated__/metaDataQuery.graphql';
import { texts } from '../../../texts/texts';
import { Table } from '../../../ui/page';

const document = graphql`
  query metaDataQuery($build: ID!) {
    node(id: $build) {
      ... on Build {
        metaData(first: 500) {
          edges {
            node {
              key
              value
            }
          }
        }
      }
    }
  }
`;

export function MetaData({ buildId }: { buildId: string }) {
  const { node } = useLazyLoadQuery<metaDataQuery>(document, { build: buildId }, { fetchPolicy: 'store-and-network' });
  return (
    <Table
      label={texts.build.tabs.metaData}
      items={node?.metaData?.edges?.flatMap((edge) => edge?.node ?? []) ?? []}
      keyOf={({ key }) => key}
      empty={texts.build.noMetaData}
      columns={[
        { title: texts.build.key, cell: ({ key }) => <code>{key}</code> },
        { title: texts.build.value, cell: ({ value }) => value },
      ]}
    />
  );
}
