import { Link } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { pipelineRow_pipeline$key } from '../../__generated__/pipelineRow_pipeline.graphql';
import { texts } from '../../texts/texts';
import { StateMark } from '../../ui/state';
import { RelativeTime } from '../../ui/time';
import { BuildBars } from './build-bars';
import { FavoriteButton } from './favorite-button';
import './pipelines.css';

const fragment = graphql`
  fragment pipelineRow_pipeline on Pipeline {
    slug
    name
    description
    defaultBranch
    tags {
      label
    }
    repository {
      url
    }
    builds(first: 30) {
      nodes {
        id
        number
        state
        branch
        createdAt
      }
    }
    ...favoriteButton_pipeline
    ...buildBars_pipeline
  }
`;

/** A pipeline in a list: state of its default branch, what it is, its newest build of that branch, its last builds. */
export function PipelineRow({ organization, pipeline }: { organization: string; pipeline: pipelineRow_pipeline$key }) {
  const data = useFragment(fragment, pipeline);
  const builds = data.builds?.nodes ?? [];
  const latest = builds.find(({ branch }) => branch === data.defaultBranch);
  return (
    <li className="pipeline-row">
      <StateMark state={latest?.state ?? 'NOT_RUN'} />
      <FavoriteButton pipeline={data} />
      <div className="grow">
        <div className="row row-wrap">
          <Link className="pipeline-name" to="/$organization/$pipeline" params={{ organization, pipeline: data.slug }}>
            {data.name}
          </Link>
          {data.tags.map(({ label }) => (
            <span key={label} className="tag">
              {label}
            </span>
          ))}
        </div>
        <div className="muted truncate">{data.description || data.repository?.url}</div>
      </div>
      <div className="latest-cell truncate">
        <div className="muted truncate">{data.defaultBranch}</div>
        {latest ? (
          <Link
            to="/$organization/$pipeline/builds/$number"
            params={{ organization, pipeline: data.slug, number: String(latest.number) }}
          >
            #{latest.number} · <RelativeTime at={latest.createdAt} />
          </Link>
        ) : (
          <span className="muted">{builds.length > 0 ? texts.pipelines.noDefaultBranch : ''}</span>
        )}
      </div>
      <div className="bars-cell">
        <BuildBars pipeline={data} />
      </div>
    </li>
  );
}
