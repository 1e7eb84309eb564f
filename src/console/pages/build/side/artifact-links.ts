import { useNavigate } from '@tanstack/react-router';
import { fetchQuery, graphql } from 'react-relay';
import type { artifactLinksQuery } from '../../../__generated__/artifactLinksQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { environment } from '../../../relay/environment';
import { texts } from '../../../texts/texts';
import { showToast } from '../../../ui/toast';
import { artifactHash } from './artifact-address';
import { artifactKind } from './artifact-kind';
import { sameOrigin } from './artifact-tree';

const document = graphql`
  query artifactLinksQuery($build: ID, $job: ID, $path: String!) {
    artifacts(build: $build, job: $job, path: $path, state: FINISHED, first: 1) {
      edges {
        node {
          uuid
          size
          mimeType
          downloadURL
        }
      }
    }
  }
`;

/** Where the files are that an address `artifact://PATH` means. */
export type ArtifactsOf = { build: string } | { job: string };

/** The newest file of a path; null if no job has uploaded it. */
export async function artifactAt(of: ArtifactsOf, path: string) {
  const reply = await fetchQuery<artifactLinksQuery>(environment, document, { ...of, path }).toPromise();
  const [artifact] = nodesOf(reply?.artifacts);
  return artifact ?? null;
}

/** Follows links to artifacts: shows texts and images in the build, downloads the rest. */
export function useArtifactLinks(of: ArtifactsOf): (path: string) => void {
  const navigate = useNavigate({ from: '/$organization/$pipeline/builds/$number' });
  const open = async (path: string) => {
    const artifact = await artifactAt(of, path);
    if (!artifact) showToast({ text: texts.build.noArtifact(path), tone: 'bad' });
    else if (artifactKind(artifact) === null) window.location.assign(sameOrigin(artifact.downloadURL));
    else await navigate({ search: (before) => ({ ...before, tab: 'artifacts' }), hash: artifactHash(artifact.uuid) });
  };
  return (path) => void open(path).catch((error: Error) => showToast({ text: error.message, tone: 'bad' }));
}
