import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { jobFailureQuery, jobFailureQuery$data } from '../../../__generated__/jobFailureQuery.graphql';
import { texts } from '../../../texts/texts';
import { durationText } from '../../../ui/time-text';
import { Outside } from '../../../ui/outside';
import { comparePage, pagesOf } from '../repository-pages';
import { JobLink } from '../steps/job-link';
import './failure.css';

const route = getRouteApi('/$organization/$pipeline/builds/$number');

const document = graphql`
  query jobFailureQuery($job: ID!) {
    node(id: $job) {
      ... on JobTypeCommand {
        uuid
        build {
          commit
          pipeline {
            repository {
              url
              provider {
                __typename
              }
            }
          }
        }
        failure {
          reason
          since {
            number
          }
          lastPassed {
            number
            commit
          }
          changed {
            commits
            agent {
              from
              to
            }
            queue {
              from
              to
            }
            step
            duration {
              from
              to
            }
          }
          excerpts {
            firstLine
            lastLine
            text
            kind
          }
          tests {
            name
            location
            message
          }
          lines {
            line
            text
          }
          cluster
          sameFailures
        }
      }
    }
  }
`;

type Failure = NonNullable<NonNullable<jobFailureQuery$data['node']>['failure']>;
type Excerpt = Failure['excerpts'][number];

/**
 * Why a command job failed: how, since which build, what has changed, and the lines that matter; `brief` leaves out all
 * but the first of these.
 */
export function JobFailure({ jobId, state, brief = false }: { jobId: string; state: string; brief?: boolean }) {
  const { node } = useLazyLoadQuery<jobFailureQuery>(
    document,
    { job: jobId },
    { fetchPolicy: 'store-and-network', fetchKey: state },
  );
  if (!node?.failure || !node.uuid) return null;
  const { failure, uuid } = node;
  const main = failure.excerpts.find(({ kind }) => kind !== 'GROUP' && kind !== 'END') ?? failure.excerpts.at(-1);
  const others = failure.excerpts.filter((excerpt) => excerpt !== main);
  return (
    <div className={brief ? 'failure' : 'card-body failure'}>
      <p>
        {failure.reason} <Since failure={failure} compare={compareWithPassed(node)} />
      </p>
      {!brief && <Changes failure={failure} />}
      <Tests tests={brief ? failure.tests.slice(0, 3) : failure.tests} />
      {main ? <ExcerptText uuid={uuid} excerpt={main} /> : <KeptLines lines={failure.lines} />}
      <SameFailures failure={failure} />
      {!brief && others.length > 0 && (
        <details>
          <summary>{texts.job.failure.more(others.length)}</summary>
          {others.map((excerpt) => (
            <ExcerptText key={excerpt.firstLine} uuid={uuid} excerpt={excerpt} />
          ))}
        </details>
      )}
    </div>
  );
}

function BuildLink({ number }: { number: number }) {
  const { organization, pipeline } = route.useParams();
  return (
    <Link
      to="/$organization/$pipeline/builds/$number"
      params={{ organization, pipeline, number: String(number) }}
      search={{}}
    >
      #{number}
    </Link>
  );
}

/** Where the changes since the last passed build are seen; null where nobody knows. */
function compareWithPassed({ build, failure }: NonNullable<jobFailureQuery$data['node']>): string | null {
  if (!build || !failure?.lastPassed) return null;
  return comparePage(pagesOf(build.pipeline.repository), failure.lastPassed.commit, build.commit);
}

function Since({ failure: { since, lastPassed }, compare }: { failure: Failure; compare: string | null }) {
  const { number } = route.useParams();
  if (!since) return null;
  return (
    <span className="muted">
      {String(since.number) === number ? (
        texts.job.failure.here
      ) : (
        <>
          {texts.job.failure.since} <BuildLink number={since.number} />.
        </>
      )}{' '}
      {lastPassed && (
        <>
          {texts.job.failure.lastPassed} <BuildLink number={lastPassed.number} />.
        </>
      )}{' '}
      {compare && <Outside to={compare}>{texts.job.failure.compare}</Outside>}
    </span>
  );
}

/** What differs from the last passed build, where anything does. */
function Changes({ failure: { changed, lastPassed } }: { failure: Failure }) {
  if (!lastPassed) return null;
  const { failure: words } = texts.job;
  const changes = [
    changed.commits.length > 0 && words.commits(changed.commits.map((commit) => commit.slice(0, 10))),
    changed.step && words.step([...changed.step]),
    changed.agent && words.agent(changed.agent.from, changed.agent.to),
    changed.queue && words.queue(changed.queue.from, changed.queue.to),
    changed.duration && durations(changed.duration.from, changed.duration.to),
  ].filter((change) => change !== false && change !== null);
  return (
    <>
      <p className="failure-head">{words.changed}</p>
      <ul className="failure-changes">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </>
  );
}

/** Null where people would say the same of both; seconds. */
function durations(from: number, to: number): string | null {
  const [before, now] = [durationText(from * 1000), durationText(to * 1000)];
  return before === now ? null : texts.job.failure.duration(before, now);
}

function Tests({ tests }: { tests: Failure['tests'] }) {
  if (tests.length === 0) return null;
  return (
    <>
      <p className="failure-head">{texts.job.failure.tests}</p>
      <ul className="failure-changes">
        {tests.map(({ name, location, message }, index) => (
          <li key={index}>
            <b>{name}</b> {location && <code>{location}</code>} {message && <span>{message}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What is kept where the log has expired. */
function KeptLines({ lines }: { lines: Failure['lines'] }) {
  const label = texts.job.failure.kept;
  if (lines.length === 0) return null;
  return (
    <figure className="failure-excerpt">
      <figcaption>{label}</figcaption>
      <pre tabIndex={0} aria-label={label} dir="auto">
        {lines.map(({ text }) => text).join('\n')}
      </pre>
    </figure>
  );
}

/** A link to the other jobs that failed alike. */
function SameFailures({ failure: { cluster, sameFailures } }: { failure: Failure }) {
  const { organization } = route.useParams();
  if (!cluster || sameFailures === 0) return null;
  return (
    <p>
      <Link to="/organizations/$organization/logs" params={{ organization }} search={{ in: 'extracts', cluster }}>
        {texts.job.failure.same(sameFailures)}
      </Link>
    </p>
  );
}

/** Lines of the log, with a link to where they stand in it. */
function ExcerptText({ uuid, excerpt: { firstLine, lastLine, text } }: { uuid: string; excerpt: Excerpt }) {
  const label = texts.job.failure.lines(firstLine, lastLine);
  return (
    <figure className="failure-excerpt">
      <figcaption>
        <JobLink uuid={`${uuid}/L${firstLine}-L${lastLine}`} className="failure-lines">
          {label}
        </JobLink>
      </figcaption>
      <pre tabIndex={0} aria-label={label} dir="auto">
        {text}
      </pre>
    </figure>
  );
}
