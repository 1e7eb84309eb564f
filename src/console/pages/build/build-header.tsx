import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { buildHeader_build$key } from '../../__generated__/buildHeader_build.graphql';
import { texts } from '../../texts/texts';
import { Icon } from '../../ui/icon';
import { Outside } from '../../ui/outside';
import { StateMark, StatePill } from '../../ui/state';
import { Duration, RelativeTime } from '../../ui/time';
import { commitPage, pagesOf } from './repository-pages';
import './build.css';

const route = getRouteApi('/$organization/$pipeline/builds/$number');

const fragment = graphql`
  fragment buildHeader_build on Build {
    state
    blockedState
    branch
    commit
    cancelReason
    createdAt
    startedAt
    finishedAt
    source {
      name
    }
    pullRequest {
      id
    }
    pipeline {
      repository {
        url
        provider {
          __typename
        }
      }
    }
    rebuiltFrom {
      number
      url
    }
    explanation {
      message
    }
    createdBy {
      ... on User {
        uuid
        name
        avatar {
          url
        }
      }
      ... on UnregisteredUser {
        authorName: name
        avatar {
          url
        }
      }
    }
  }
`;

/** State, commit, who and why, and how long it took. */
export function BuildHeader({ build }: { build: buildHeader_build$key }) {
  const data = useFragment(fragment, build);
  const { organization, pipeline } = route.useParams();
  const who = data.createdBy;
  const name = who?.name ?? who?.authorName;
  const pages = pagesOf(data.pipeline.repository);
  return (
    <section className="card build-header" aria-label={texts.pipeline.state}>
      <StateMark state={data.state} large />
      <div className="grow stack stack-s">
        <div className="row row-wrap">
          <StatePill state={data.state} />
          {data.explanation?.message && <span>{data.explanation.message}</span>}
          {data.cancelReason && <span className="muted">{data.cancelReason}</span>}
        </div>
        <div className="build-row-facts">
          <span>
            <Icon name="branch" size={13} />
            <Link to="/$organization/$pipeline" params={{ organization, pipeline }} search={{ branch: data.branch }}>
              {data.branch}
            </Link>
          </span>
          <span>
            <Icon name="commit" size={13} />
            <Outside to={commitPage(pages, data.commit)}>
              <code>{data.commit.slice(0, 10)}</code>
            </Outside>
          </span>
          {data.pullRequest && (
            <span>
              <Outside to={pages?.pullRequest(encodeURIComponent(data.pullRequest.id)) ?? null}>
                {texts.build.pullRequest(data.pullRequest.id)}
              </Outside>
            </span>
          )}
          {name && (
            <span>
              {who?.avatar && <img className="avatar avatar-small" src={new URL(who.avatar.url).pathname} alt="" />}
              {who?.uuid ? (
                <Link to="/$organization/$pipeline" params={{ organization, pipeline }} search={{ creator: who.uuid }}>
                  {name}
                </Link>
              ) : (
                name
              )}
            </span>
          )}
          <span>{data.source.name}</span>
          {data.rebuiltFrom && (
            <a href={new URL(data.rebuiltFrom.url).pathname}>
              {texts.build.rebuiltFrom} #{data.rebuiltFrom.number}
            </a>
          )}
        </div>
      </div>
      <dl className="build-times">
        <div>
          <dt>
            <RelativeTime at={data.createdAt} />
          </dt>
          <dd>
            <Duration from={data.startedAt} to={data.finishedAt} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
