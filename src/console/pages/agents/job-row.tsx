import { graphql, readInlineData } from 'react-relay';
import type { jobRow_job$key } from '../../__generated__/jobRow_job.graphql';
import { localPath } from '../../relay/nodes';
import { StateMark } from '../../ui/state';
import { jobOutcome } from '../../ui/state-tone';
import { Duration, RelativeTime } from '../../ui/time';
import { plainLabel } from '../build/steps/job-view';
import '../pipelines/pipelines.css';
import { firstLine } from '../../ui/first-line';

const fragment = graphql`
  fragment jobRow_job on Job @inline {
    ... on JobTypeCommand {
      label
      command
      state
      passed
      softFailed
      url
      createdAt
      startedAt
      finishedAt
      explanation {
        message
      }
      pipeline {
        name
      }
      build {
        number
        branch
      }
    }
  }
`;

/** A command job in a list outside its build: what it is, of which build, and why it waits. */
export function JobRow({ job }: { job: jobRow_job$key }) {
  const data = readInlineData(fragment, job);
  if (!data.url) return null;
  return (
    <li className="build-row">
      <StateMark state={jobOutcome(data)} />
      <div className="grow">
        <a className="pipeline-name truncate" href={localPath(data.url)}>
          {plainLabel(data.label) || firstLine(data.command)}
        </a>
        <div className="build-row-facts">
          <span>
            {data.pipeline?.name} #{data.build?.number}
          </span>
          <span className="truncate">{data.build?.branch}</span>
          {data.startedAt == null && data.explanation && <span>{data.explanation.message}</span>}
        </div>
      </div>
      <div className="build-row-when">
        <RelativeTime at={data.startedAt ?? data.createdAt} />
        <div>
          <Duration from={data.startedAt} to={data.finishedAt} />
        </div>
      </div>
    </li>
  );
}
