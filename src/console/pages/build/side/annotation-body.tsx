import { type MouseEvent, useEffect, useMemo, useRef } from 'react';
import { texts } from '../../../texts/texts';
import { styleAnnotations } from './annotation-classes';
import { artifactPath } from './artifact-address';
import { artifactAt, useArtifactLinks } from './artifact-links';
import { sameOrigin } from './artifact-tree';
import '../build.css';

styleAnnotations();

/** The HTML with images of artifacts marked, so that the browser does not look for them at an address that is none. */
function withMarkedImages(html: string): string {
  if (!html.includes('artifact://')) return html;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const image of body.querySelectorAll<HTMLImageElement>('img[src]')) {
    const path = artifactPath(image.getAttribute('src') ?? '');
    if (path === null) continue;
    image.dataset['artifact'] = path;
    image.removeAttribute('src');
  }
  return body.innerHTML;
}

/**
 * The text of an annotation, whose HTML was sanitised by the server. Images at `artifact://…` are shown, and links
 * there open the file: addresses of files expire, so they are asked for when they are needed.
 */
export function AnnotationBody({ html, buildId }: { html: string; buildId: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => withMarkedImages(html), [html]);
  useEffect(() => {
    for (const image of frame.current?.querySelectorAll<HTMLImageElement>('img[data-artifact]') ?? [])
      artifactAt({ build: buildId }, image.dataset['artifact'] ?? '').then(
        (artifact) => {
          if (artifact) image.src = sameOrigin(artifact.downloadURL);
          else image.alt = texts.build.noArtifact(image.dataset['artifact'] ?? '');
        },
        () => undefined,
      );
  }, [buildId, shown]);
  const open = useArtifactLinks({ build: buildId });
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a[href]');
    const path = artifactPath(link?.getAttribute('href') ?? '');
    if (path === null) return;
    event.preventDefault();
    open(path);
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
