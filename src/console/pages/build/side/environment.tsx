import { graphql, useLazyLoadQuery } from 'react-relay';
import type { environmentQuery } from '../../../__generated__/environmentQuery.graphql';
import { texts } from '../../../texts/texts';
import { Table } from '../../../ui/page';

const document = graphql`
  query environmentQuery($build: ID!) {
    node(id: $build) {
      ... on Build {
        env
      }
    }
  }
`;

export function Environment({ buildId }: { buildId: string }) {
  const { node } = useLazyLoadQuery<environmentQuery>(document, { build: buildId });
  return <EnvironmentTable env={node?.env ?? []} />;
}

/** `NAME=value` texts as a table. */
export function EnvironmentTable({ env }: { env: readonly string[] }) {
  const split = env.map((line) => {
    const at = line.indexOf('=');
    return { key: line.slice(0, at), value: line.slice(at + 1) };
  });
  return (
    <Table
      label={texts.build.tabs.environment}
      items={split}
      keyOf={({ key }) => key}
      empty={texts.build.noEnvironment}
      columns={[
        { title: texts.build.key, cell: ({ key }) => <code>{key}</code> },
        { title: texts.build.value, cell: ({ value }) => <code>{value}</code> },
      ]}
    />
  );
}
