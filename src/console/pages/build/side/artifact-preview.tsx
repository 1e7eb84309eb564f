import { useEffect, useRef, useState } from 'react';
import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { sizeText } from '../../../ui/size-text';
import { type ArtifactFile, sameOrigin } from './artifact-tree';
import '../build.css';

/** Larger files are downloaded, not shown. */
const largestShown = 2_000_000;
const textual = /^(text\/|application\/(json|xml|x-yaml|yaml|javascript|toml))/;

/**
 * Shows a text as text and an image as an image: nothing of an artifact is ever parsed as a page, so it cannot run
 * anything, whatever it holds.
 */
export function ArtifactPreview({ file, close }: { file: ArtifactFile; close: () => void }) {
  const section = useRef<HTMLElement>(null);
  // It stands below the list of files, which may be longer than the window.
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [file]);
  const small = file.size <= largestShown;
  const isImage = small && file.mimeType.startsWith('image/');
  const isText = small && textual.test(file.mimeType);
  return (
    <section ref={section} className="card" aria-label={texts.build.preview(file.path)}>
      <div className="card-head">
        <h3 className="grow">{file.path}</h3>
        <span className="muted">
          {file.mimeType}, {sizeText(file.size)}
        </span>
        <a className="button" href={sameOrigin(file.downloadURL)} download>
          <Icon name="download" />
          {texts.build.download}
        </a>
        <button
          type="button"
          className="button button-plain button-icon"
          aria-label={texts.common.close}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className="card-body">
        {isImage && <img className="preview-image" src={sameOrigin(file.downloadURL)} alt={file.path} />}
        {isText && <TextPreview url={sameOrigin(file.downloadURL)} />}
        {!isImage && !isText && <p className="muted">{texts.build.noPreview}</p>}
      </div>
    </section>
  );
}

function TextPreview({ url }: { url: string }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    fetch(url, { signal: stop.signal })
      .then(async (response) => setText(response.ok ? await response.text() : texts.errors.failedTitle))
      .catch(() => undefined);
    return () => stop.abort();
  }, [url]);
  return (
    <pre className="preview-text" tabIndex={0}>
      {text ?? texts.common.loading}
    </pre>
  );
}
