import { Link } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { buildRow_build$key } from '../../__generated__/buildRow_build.graphql';
import { Icon } from '../../ui/icon';
import { StateMark } from '../../ui/state';
import { Duration, RelativeTime } from '../../ui/time';
import './pipelines.css';
import { firstLine } from '../../ui/first-line';

const fragment = graphql`
  fragment buildRow_build on Build {
    number
    state
    message
    branch
    commit
    createdAt
    startedAt
    finishedAt
    createdBy {
      ... on User {
        name
      }
      ... on UnregisteredUser {
        authorName: name
      }
    }
    pipeline {
      slug
      name
      organization {
        slug
      }
    }
  }
`;

/** A build in a list. `withPipeline`: where builds of several pipelines stand together. */
export function BuildRow({ build, withPipeline = false }: { build: buildRow_build$key; withPipeline?: boolean }) {
  const data = useFragment(fragment, build);
  const creator = data.createdBy?.name ?? data.createdBy?.authorName;
  const title = firstLine(data.message);
  return (
    <li className="build-row">
      <StateMark state={data.state} />
      <div className="grow">
        <Link
          className="pipeline-name truncate"
          to="/$organization/$pipeline/builds/$number"
          params={{
            organization: data.pipeline.organization.slug,
            pipeline: data.pipeline.slug,
            number: String(data.number),
          }}
        >
          {title || `#${data.number}`}
        </Link>
        <div className="build-row-facts">
          {withPipeline && <span>{data.pipeline.name}</span>}
          <span>#{data.number}</span>
          <span>
            <Icon name="branch" size={13} />
            <span className="truncate">{data.branch}</span>
          </span>
          <span>
            <Icon name="commit" size={13} />
            <code>{data.commit.slice(0, 10)}</code>
          </span>
          {creator && (
            <span>
              <Icon name="person" size={13} />
              {creator}
            </span>
          )}
        </div>
      </div>
      <div className="build-row-when">
        <div>
          <RelativeTime at={data.createdAt} />
        </div>
        <Duration from={data.startedAt} to={data.finishedAt} />
      </div>
    </li>
  );
}
