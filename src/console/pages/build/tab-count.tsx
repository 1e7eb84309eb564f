import { graphql, useLazyLoadQuery } from 'react-relay';
import type { tabCountQuery } from '../../__generated__/tabCountQuery.graphql';
import { texts } from '../../texts/texts';

const document = graphql`
  query tabCountQuery($build: ID!) {
    artifacts(build: $build, first: 1) {
      count
    }
    node(id: $build) {
      ... on Build {
        annotations(first: 1) {
          count
        }
        metaData(first: 1) {
          count
        }
      }
    }
  }
`;

const countedParts = ['annotations', 'artifacts', 'metaData'] as const;
type CountedPart = (typeof countedParts)[number];

/** Says whether the things of a part of a build are counted on its tab. */
export const isCounted = (part: string): part is CountedPart => countedParts.some((each) => each === part);

/** How many things of a part a build has; nothing for none. */
export function TabCount({ buildId, part }: { buildId: string; part: CountedPart }) {
  const { artifacts, node } = useLazyLoadQuery<tabCountQuery>(
    document,
    { build: buildId },
    { fetchPolicy: 'store-and-network' },
  );
  const counts = {
    annotations: node?.annotations?.count,
    artifacts: artifacts?.count,
    metaData: node?.metaData?.count,
  };
  const count = counts[part] ?? 0;
  return count > 0 && <span className="tag">{texts.build.count(count)}</span>;
}
