import { type MouseEvent, useEffect, useMemo, useRef } from 'react';
import { fetchQuery, graphql } from 'react-relay';
import type { annotationBodyQuery } from '../../../__generated__/annotationBodyQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { environment } from '../../../relay/environment';
import { texts } from '../../../texts/texts';
import { showToast } from '../../../ui/toast';
import { styleAnnotations } from './annotation-classes';
import { sameOrigin } from './artifact-tree';
import '../build.css';

const document = graphql`
  query annotationBodyQuery($build: ID!, $path: String!) {
    artifacts(build: $build, path: $path, state: FINISHED, first: 1) {
      edges {
        node {
          downloadURL
        }
      }
    }
  }
`;

styleAnnotations();

const scheme = 'artifact://';

/** Address of a file of the build, good for some minutes; null if no job has uploaded it. */
async function addressOf(build: string, path: string): Promise<string | null> {
  const reply = await fetchQuery<annotationBodyQuery>(environment, document, { build, path }).toPromise();
  const [artifact] = nodesOf(reply?.artifacts);
  return artifact ? sameOrigin(artifact.downloadURL) : null;
}

/** The HTML with images of artifacts marked, so that the browser does not look for them at an address that is none. */
function withMarkedImages(html: string): string {
  if (!html.includes(scheme)) return html;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const image of body.querySelectorAll<HTMLImageElement>(`img[src^="${scheme}"]`)) {
    image.dataset['artifact'] = image.getAttribute('src')?.slice(scheme.length) ?? '';
    image.removeAttribute('src');
  }
  return body.innerHTML;
}

/**
 * The text of an annotation, whose HTML was sanitised by the server. Images at `artifact://…` are shown, and links
 * there lead to the file: their addresses expire, so they are asked for when they are followed.
 */
export function AnnotationBody({ html, buildId }: { html: string; buildId: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => withMarkedImages(html), [html]);
  useEffect(() => {
    for (const image of frame.current?.querySelectorAll<HTMLImageElement>('img[data-artifact]') ?? [])
      addressOf(buildId, image.dataset['artifact'] ?? '').then(
        (address) => {
          if (address) image.src = address;
          else image.alt = texts.build.noArtifact(image.dataset['artifact'] ?? '');
        },
        () => undefined,
      );
  }, [buildId, shown]);
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest(`a[href^="${scheme}"]`);
    if (!link) return;
    event.preventDefault();
    const path = link.getAttribute('href')?.slice(scheme.length) ?? '';
    addressOf(buildId, path).then(
      (address) => {
        if (address) window.location.assign(address);
        else showToast({ text: texts.build.noArtifact(path), tone: 'bad' });
      },
      (error: Error) => showToast({ text: error.message, tone: 'bad' }),
    );
  };
  return (
    <div
      ref={frame}
      className="card-body annotation-body"
      onClick={follow}
      dangerouslySetInnerHTML={{ __html: shown }}
    />
  );
}
