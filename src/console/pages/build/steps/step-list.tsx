import { memo } from 'react';
import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { LabelText } from '../../../ui/label-text';
import { StateMark } from '../../../ui/state';
import { durationText } from '../../../ui/time-text';
import { JobLink } from './job-link';
import type { Attempts, JobView } from './job-view';
import '../build.css';

/** The steps in their order; groups under their names, retries as attempts of one row. */
export function StepList({ attempts, chosen }: { attempts: Attempts[]; chosen: string | null }) {
  return (
    <ol className="card">
      {attempts.map(({ job, earlier }, index) => {
        const group = job.step?.groupUuid ?? null;
        const opens = group !== null && group !== (attempts[index - 1]?.job.step?.groupUuid ?? null);
        return (
          <li key={job.uuid}>
            {opens && (
              <div className="step-group-name">
                <LabelText text={job.step?.groupLabel || texts.job.group} />
              </div>
            )}
            {job.type === 'wait' ? (
              <div className="job-row job-row-wait">
                <Icon name="wait" size={13} />
                {job.name}
              </div>
            ) : (
              <Row job={job} earlier={earlier} grouped={group !== null} chosen={chosen} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface RowProps {
  job: JobView;
  earlier: JobView[];
  grouped: boolean;
  chosen: string | null;
}

const isCurrent = ({ job, earlier, chosen }: RowProps) =>
  chosen !== null && (job.uuid === chosen || earlier.some(({ uuid }) => uuid === chosen));

/** What a row shows of its jobs: one that shows the same is not drawn again when a build of thousands changes. */
const isSame = (before: RowProps, after: RowProps) =>
  isSameJob(before.job, after.job) &&
  before.earlier.length === after.earlier.length &&
  before.grouped === after.grouped &&
  isCurrent(before) === isCurrent(after);

const shownOfJob = ['uuid', 'type', 'label', 'state', 'detail', 'startedAt', 'finishedAt'] as const;

const isSameJob = (before: JobView, after: JobView) => shownOfJob.every((key) => before[key] === after[key]);

const Row = memo(function Row(props: RowProps) {
  const { job, earlier, grouped } = props;
  return (
    <JobLink uuid={job.uuid} current={isCurrent(props)} className={`job-row ${grouped ? 'job-row-grouped' : ''}`}>
      <StateMark state={job.state} />
      <span className="grow">
        <span className="job-name">
          <LabelText text={job.label} />
        </span>
        {job.detail && <span className="muted"> {job.detail}</span>}
      </span>
      {earlier.length > 0 && <span className="tag">{texts.job.attempts(earlier.length + 1)}</span>}
      {job.type === 'trigger' && <Icon name="trigger" />}
      <span className="muted tabular">
        {job.startedAt !== null && job.finishedAt !== null ? durationText(job.finishedAt - job.startedAt) : ''}
      </span>
    </JobLink>
  );
}, isSame);
