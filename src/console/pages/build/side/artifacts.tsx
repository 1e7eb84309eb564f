import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { artifactsQuery } from '../../../__generated__/artifactsQuery.graphql';
import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { Placeholder } from '../../../ui/placeholder';
import { ArtifactPreview } from './artifact-preview';
import { artifactTree, type ArtifactFile, type ArtifactFolder, sizeText } from './artifact-tree';

const document = graphql`
  query artifactsQuery($build: ID, $job: ID) {
    artifacts(build: $build, job: $job, first: 500) {
      nodes {
        id
        path
        size
        mimeType
        state
        downloadURL
      }
    }
  }
`;

/** Artifacts of a build or of one job, as a tree of their paths. */
export function Artifacts({ buildId, jobId }: { buildId?: string; jobId?: string }) {
  const { artifacts } = useLazyLoadQuery<artifactsQuery>(
    document,
    { build: buildId ?? null, job: jobId ?? null },
    { fetchPolicy: 'store-and-network' },
  );
  const [shown, setShown] = useState<ArtifactFile | null>(null);
  const files = artifacts?.nodes ?? [];
  if (files.length === 0) return <Placeholder title={texts.build.noArtifacts} text={texts.build.noArtifactsText} />;
  return (
    <div className="stack">
      <div className="card">
        <Folder folder={artifactTree(files)} depth={0} show={setShown} />
      </div>
      {shown && <ArtifactPreview file={shown} close={() => setShown(null)} />}
    </div>
  );
}

interface FolderProps {
  folder: ArtifactFolder;
  depth: number;
  show: (file: ArtifactFile) => void;
}

function Folder({ folder, depth, show }: FolderProps) {
  const inset = { paddingLeft: `${1 + depth * 1.25}rem` };
  return (
    <ul>
      {[...folder.folders].map(([name, inner]) => (
        <li key={name}>
          <details open={depth < 2}>
            <summary className="job-row" style={inset}>
              <Icon name="folder" />
              {name}
            </summary>
            <Folder folder={inner} depth={depth + 1} show={show} />
          </details>
        </li>
      ))}
      {folder.files.map((file) => (
        <li key={file.id} className="job-row" style={inset}>
          <Icon name="file" />
          <button type="button" className="button button-plain grow artifact-name" onClick={() => show(file)}>
            <span className="truncate">{file.path.split('/').at(-1)}</span>
          </button>
          <span className="muted tabular">{sizeText(file.size)}</span>
          <a className="button button-plain button-icon" href={file.downloadURL} download>
            <Icon name="download" />
            <span className="visually-hidden">
              {texts.build.download} {file.path}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
