import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { annotations_build$key } from '../../../__generated__/annotations_build.graphql';
import type { annotationsMoreQuery } from '../../../__generated__/annotationsMoreQuery.graphql';
import type { annotationsQuery } from '../../../__generated__/annotationsQuery.graphql';
import type { annotationsSubscription } from '../../../__generated__/annotationsSubscription.graphql';
import { nodesOf } from '../../../relay/nodes';
import { useLive } from '../../../relay/use-live';
import { useRefetchKey } from '../../../relay/use-refetch-key';
import { texts } from '../../../texts/texts';
import { More } from '../../../ui/more';
import { Placeholder } from '../../../ui/placeholder';
import { RelativeTime } from '../../../ui/time';
import { AnnotationBody } from './annotation-body';
import '../build.css';

const document = graphql`
  query annotationsQuery($build: ID!) {
    node(id: $build) {
      ... on Build @alias(as: "found") {
        ...annotations_build
      }
    }
  }
`;

const fragment = graphql`
  fragment annotations_build on Build
  @refetchable(queryName: "annotationsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    annotations(first: $count, after: $cursor) @connection(key: "annotations_annotations") {
      edges {
        node {
          id
          context
          style
          createdAt
          updatedAt
          body {
            html
          }
          job {
            label
          }
        }
      }
    }
  }
`;

const changes = graphql`
  subscription annotationsSubscription($build: ID!, $after: String) {
    annotations(id: $build, after: $after) {
      cursor
      event {
        type
      }
    }
  }
`;

const tones: Record<string, string> = {
  SUCCESS: 'tone-passed',
  ERROR: 'tone-failed',
  WARNING: 'tone-running',
  INFO: 'tone-blocked',
};

/** Annotations of the build; `#annotation-CONTEXT` in the address leads to one of them. */
export function Annotations({ buildId }: { buildId: string }) {
  const [fetchKey, refetch] = useRefetchKey();
  const { node } = useLazyLoadQuery<annotationsQuery>(
    document,
    { build: buildId },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  useLive<annotationsSubscription>(
    changes,
    { build: buildId },
    {
      onNext: ({ annotations }) => {
        if (annotations.event) refetch();
      },
    },
  );
  return node?.found ? <List build={node.found} /> : null;
}

function List({ build }: { build: annotations_build$key }) {
  const { data, ...more } = usePaginationFragment<annotationsMoreQuery, annotations_build$key>(fragment, build);
  const annotations = nodesOf(data.annotations);
  const { hash } = useLocation();
  const isThere = annotations.some(({ context }) => hash === `annotation-${context}`);
  useEffect(() => {
    if (isThere) window.document.getElementById(hash)?.scrollIntoView({ block: 'start' });
  }, [hash, isThere]);
  if (annotations.length === 0) {
    return <Placeholder title={texts.build.noAnnotations} text={texts.build.noAnnotationsText} />;
  }
  return (
    <>
      <ul className="stack">
        {annotations.map((annotation) => (
          <li
            key={annotation.id}
            id={`annotation-${annotation.context}`}
            className={`card annotation ${tones[annotation.style ?? ''] ?? ''}`}
          >
            <div className="card-head muted">
              <span className="grow mono">{annotation.context}</span>
              {annotation.job?.label && <span>{annotation.job.label}</span>}
              <RelativeTime at={annotation.updatedAt ?? annotation.createdAt} />
            </div>
            <AnnotationBody html={annotation.body?.html ?? ''} buildId={data.id} />
          </li>
        ))}
      </ul>
      <More {...more} />
    </>
  );
}
