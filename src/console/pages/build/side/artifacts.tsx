import { useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { artifacts_query$key } from '../../../__generated__/artifacts_query.graphql';
import type { artifactsMoreQuery } from '../../../__generated__/artifactsMoreQuery.graphql';
import type { artifactsQuery } from '../../../__generated__/artifactsQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { More } from '../../../ui/more';
import { ErrorBoundary } from '../../../ui/error-boundary';
import { Loading, Placeholder } from '../../../ui/placeholder';
import { DownloadAll } from './download-all';
import { artifactHash, artifactOfHash } from './artifact-address';
import { ArtifactPreview } from './artifact-preview';
import { sizeText } from '../../../ui/size-text';
import { artifactTree, type ArtifactFolder, sameOrigin } from './artifact-tree';
import { ReportLink } from './report-link';
import '../build.css';
import './artifacts.css';

const document = graphql`
  query artifactsQuery($build: ID, $job: ID) {
    ...artifacts_query @arguments(build: $build, job: $job)
  }
`;

const fragment = graphql`
  fragment artifacts_query on Query
  @refetchable(queryName: "artifactsMoreQuery")
  @argumentDefinitions(
    build: { type: "ID" }
    job: { type: "ID" }
    count: { type: "Int", defaultValue: 100 }
    cursor: { type: "String" }
  ) {
    artifacts(build: $build, job: $job, first: $count, after: $cursor) @connection(key: "artifacts_artifacts") {
      edges {
        node {
          id
          uuid
          path
          size
          mimeType
          state
          downloadURL
          reportURL
        }
      }
    }
  }
`;

/** Artifacts of a build or of one job, as a tree of their paths. */
export function Artifacts({ buildId, jobId }: { buildId?: string; jobId?: string }) {
  const reply = useLazyLoadQuery<artifactsQuery>(
    document,
    { build: buildId ?? null, job: jobId ?? null },
    // Addresses of files are good for ten minutes.
    { fetchPolicy: 'store-and-network' },
  );
  const { data, ...more } = usePaginationFragment<artifactsMoreQuery, artifacts_query$key>(fragment, reply);
  const files = nodesOf(data.artifacts);
  const named = useNamedArtifact();
  const local = useState<string | null>(null);
  // Behind `#` stands the job whose panel this is.
  const [shown, show] = jobId === undefined ? named : local;
  if (files.length === 0) return <Placeholder title={texts.build.noArtifacts} text={texts.build.noArtifactsText} />;
  return (
    <div className="stack">
      <div className="row">
        <DownloadAll buildId={buildId} jobId={jobId} />
      </div>
      <div className="card artifact-list">
        <Folder folder={artifactTree(files)} depth={0} shown={shown} show={show} />
      </div>
      <More {...more} />
      {shown !== null && (
        <ErrorBoundary resetKey={shown}>
          <Suspense fallback={<Loading />}>
            <ArtifactPreview uuid={shown} close={() => show(null)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}

/** The artifact that the address names (`#artifact-UUID`), and what puts another into it. */
function useNamedArtifact() {
  const { hash } = useLocation();
  const navigate = useNavigate({ from: '/$organization/$pipeline/builds/$number' });
  const show = (uuid: string | null) =>
    void navigate({
      search: (before) => ({ ...before, tab: 'artifacts' }),
      hash: uuid === null ? '' : artifactHash(uuid),
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  return [artifactOfHash(hash), show] as const;
}

interface FolderProps {
  folder: ArtifactFolder;
  depth: number;
  shown: string | null;
  show: (uuid: string) => void;
}

function Folder({ folder, depth, shown, show }: FolderProps) {
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
            <Folder folder={inner} depth={depth + 1} shown={shown} show={show} />
          </details>
        </li>
      ))}
      {folder.files.map((file) => (
        <li key={file.id} className="job-row" style={inset} aria-current={file.uuid === shown ? 'true' : undefined}>
          <Icon name="file" />
          <button type="button" className="button button-plain grow artifact-name" onClick={() => show(file.uuid)}>
            <span className="truncate">{file.path.split('/').at(-1)}</span>
          </button>
          <ReportLink file={file} />
          <span className="muted tabular">{sizeText(file.size)}</span>
          <a className="button button-plain button-icon" href={sameOrigin(file.downloadURL)} download>
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
