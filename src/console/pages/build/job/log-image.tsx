import { graphql, useLazyLoadQuery } from 'react-relay';
import { Suspense } from 'react';
import type { logImageQuery } from '../../../__generated__/logImageQuery.graphql';
import { ErrorBoundary } from '../../../ui/error-boundary';
import { sameOrigin } from '../side/artifact-tree';
import type { LogImage as Image } from './log-elements';
import './log.css';

const document = graphql`
  query logImageQuery($job: ID!, $path: String!) {
    artifacts(job: $job, path: $path, first: 1) {
      nodes {
        id
        downloadURL
      }
    }
  }
`;

/**
 * An image of a log: its own bytes or an artifact of the job. One of another host is a link: pages load from here only.
 */
export function LogImage({ image, job }: { image: Image; job: string }) {
  if (image.src) return <img className="log-image" src={image.src} alt={image.alt} />;
  if (image.artifact !== null) {
    return (
      <ErrorBoundary quiet>
        <Suspense fallback={image.alt}>
          <ArtifactImage path={image.artifact} job={job} alt={image.alt} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return (
    <a href={image.href ?? undefined} target="_blank" rel="noreferrer">
      {image.alt}
    </a>
  );
}

function ArtifactImage({ path, job, alt }: { path: string; job: string; alt: string }) {
  const { artifacts } = useLazyLoadQuery<logImageQuery>(document, { job, path });
  const [artifact] = artifacts?.nodes ?? [];
  return artifact ? <img className="log-image" src={sameOrigin(artifact.downloadURL)} alt={alt} /> : alt;
}
