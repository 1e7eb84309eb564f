import { Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { errorAnnotationsQuery } from '../../../__generated__/errorAnnotationsQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { AnnotationBody } from '../side/annotation-body';
import '../build.css';
import '../job/failure.css';

const document = graphql`
  query errorAnnotationsQuery($build: ID!) {
    node(id: $build) {
      ... on Build {
        annotations(first: 2, style: [ERROR], order: PRIORITY_RECENTLY_CREATED) {
          count
          edges {
            node {
              id
              context
              body {
                html
              }
            }
          }
        }
      }
    }
  }
`;

/** The first annotations by which jobs say what went wrong, at the head of a red build. */
export function ErrorAnnotations({ buildId }: { buildId: string }) {
  const { node } = useLazyLoadQuery<errorAnnotationsQuery>(
    document,
    { build: buildId },
    { fetchPolicy: 'store-and-network' },
  );
  const annotations = nodesOf(node?.annotations);
  const more = (node?.annotations?.count ?? 0) - annotations.length;
  if (annotations.length === 0) return null;
  return (
    <ul className="failed-jobs">
      {annotations.map(({ id, context, body }) => (
        <li key={id} className="annotation tone-failed" aria-label={texts.build.annotation(context)}>
          <AnnotationBody html={body?.html ?? ''} buildId={buildId} />
        </li>
      ))}
      {more > 0 && (
        <li>
          <Link to="." search={(before) => ({ ...before, tab: 'annotations' })}>
            {texts.build.moreAnnotations(more)}
          </Link>
        </li>
      )}
    </ul>
  );
}
