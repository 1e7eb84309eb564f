import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { RecordSourceSelectorProxy } from 'relay-runtime';
import type { buildList_pipeline$key } from '../../__generated__/buildList_pipeline.graphql';
import type { buildListQuery, BuildStates } from '../../__generated__/buildListQuery.graphql';
import type { buildListSubscription } from '../../__generated__/buildListSubscription.graphql';
import { useLive } from '../../relay/use-live';
import { texts } from '../../texts/texts';
import { More } from '../../ui/more';
import { NotFound, Placeholder } from '../../ui/placeholder';
import { BuildRow } from '../pipelines/build-row';
import { prependNewBuild } from './prepend-build';

const document = graphql`
  query buildListQuery($slug: ID!, $branch: [String!], $state: [BuildStates!], $creator: String) {
    pipeline(slug: $slug) {
      id
      ...buildList_pipeline
    }
  }
`;

const fragment = graphql`
  fragment buildList_pipeline on Pipeline
  @refetchable(queryName: "buildListMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 40 }, cursor: { type: "String" }) {
    id
    builds(first: $count, after: $cursor, branch: $branch, state: $state, creator: $creator)
      @connection(key: "buildList_builds", filters: []) {
      edges {
        node {
          id
          ...buildRow_build
        }
      }
    }
  }
`;

const changes = graphql`
  subscription buildListSubscription($pipeline: ID!, $after: String) {
    pipeline(id: $pipeline, after: $after) {
      cursor
      build {
        id
        ...buildRow_build
      }
    }
  }
`;

interface Filters {
  branch?: string | undefined;
  state?: string | undefined;
  creator?: string | undefined;
}

/** Builds of a pipeline, newest first. */
export function BuildList({ slug, branch, state, creator }: Filters & { slug: string }) {
  const { pipeline } = useLazyLoadQuery<buildListQuery>(
    document,
    {
      slug,
      // Part of a name is enough to find a branch.
      branch: branch ? [branch.includes('*') ? branch : `*${branch}*`] : null,
      state: state ? [state as BuildStates] : null,
      creator: creator ?? null,
    },
    { fetchPolicy: 'network-only' },
  );
  if (!pipeline) return <NotFound />;
  return <Rows pipeline={pipeline} pipelineId={pipeline.id} filtered={Boolean(branch || state || creator)} />;
}

function Rows(props: { pipeline: buildList_pipeline$key; pipelineId: string; filtered: boolean }) {
  const { data, ...more } = usePaginationFragment<buildListQuery, buildList_pipeline$key>(fragment, props.pipeline);
  useLive<buildListSubscription>(
    changes,
    { pipeline: props.pipelineId },
    {
      updater: (store) => {
        if (!props.filtered) prependNewBuild(store as RecordSourceSelectorProxy, props.pipelineId);
      },
    },
  );
  const builds = data.builds?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  if (builds.length === 0) {
    return props.filtered ? (
      <Placeholder title={texts.pipeline.noMatch} text={texts.pipelines.noMatch} />
    ) : (
      <Placeholder title={texts.pipeline.noBuilds} text={texts.pipeline.noBuildsText} />
    );
  }
  return (
    <>
      <ul className="card">
        {builds.map((build) => (
          <BuildRow key={build.id} build={build} />
        ))}
      </ul>
      <More {...more} />
    </>
  );
}
