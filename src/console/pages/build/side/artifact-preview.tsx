import { useEffect, useRef } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { artifactPreviewQuery } from '../../../__generated__/artifactPreviewQuery.graphql';
import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { sizeText } from '../../../ui/size-text';
import { artifactKind } from './artifact-kind';
import { sameOrigin } from './artifact-tree';
import { ReportLink } from './report-link';
import { TextPreview } from './text-preview';
import '../build.css';
import './artifacts.css';

const document = graphql`
  query artifactPreviewQuery($uuid: ID!) {
    artifact(uuid: $uuid) {
      uuid
      path
      size
      mimeType
      state
      downloadURL
      reportURL
    }
  }
`;

type File = NonNullable<artifactPreviewQuery['response']['artifact']>;

/**
 * Shows a text as text and an image as an image: nothing of an artifact is ever parsed as a page, so it cannot run
 * anything, whatever it holds.
 */
export function ArtifactPreview({ uuid, close }: { uuid: string; close: () => void }) {
  // Addresses of files are good for ten minutes, and a file may have been deleted since.
  const { artifact } = useLazyLoadQuery<artifactPreviewQuery>(document, { uuid }, { fetchPolicy: 'network-only' });
  const section = useRef<HTMLElement>(null);
  // It stands below the list of files, which may be longer than the window.
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [uuid]);
  return (
    <section
      ref={section}
      className="card artifact-preview"
      aria-label={texts.build.preview(artifact?.path ?? texts.build.gone)}
    >
      <div className="card-head">
        <h3 className="grow artifact-path">
          <bdi>{artifact?.path ?? texts.build.gone}</bdi>
        </h3>
        {artifact && <Head file={artifact} />}
        <button
          type="button"
          className="button button-plain button-icon"
          aria-label={texts.common.close}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      {artifact && <Body file={artifact} />}
    </section>
  );
}

function Head({ file }: { file: File }) {
  return (
    <>
      <span className="muted">
        {file.mimeType.split(';')[0]}, {sizeText(file.size)}
      </span>
      <ReportLink file={file} />
      <a className="button" href={sameOrigin(file.downloadURL)} download>
        <Icon name="download" />
        {texts.build.download}
      </a>
    </>
  );
}

function Body({ file }: { file: File }) {
  const kind = artifactKind(file);
  const url = sameOrigin(file.downloadURL);
  const note = noteOf(file, kind !== null, url);
  if (note !== null) return <p className="card-body muted">{note}</p>;
  if (kind === 'text') return <TextPreview uuid={file.uuid} path={file.path} size={file.size} url={url} />;
  return (
    <div className="card-body">
      <img className="preview-image" src={url} alt={file.path} />
    </div>
  );
}

/** Why a file is not shown; null if it is. */
function noteOf(file: File, isKnown: boolean, url: string): string | null {
  if (file.state !== 'finished') return texts.build.notStored;
  if (!isKnown) return texts.build.noPreview;
  // Pages load nothing from other hosts.
  if (!url.startsWith('/')) return texts.build.elsewhere;
  return file.size === 0 ? texts.build.emptyFile : null;
}
