import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { StateMark } from '../../../ui/state';
import { durationText } from '../../../ui/time';
import { JobLink } from './job-link';
import { type Attempts, type JobView, plainLabel } from './job-view';

/** The steps in their order; groups under their names, retries as attempts of one row. */
export function StepList({ attempts, chosen }: { attempts: Attempts[]; chosen: string | null }) {
  return (
    <ol className="card">
      {attempts.map(({ job, earlier }, index) => {
        const group = job.step?.groupUuid ?? null;
        const opens = group !== null && group !== (attempts[index - 1]?.job.step?.groupUuid ?? null);
        return (
          <li key={job.uuid}>
            {opens && <div className="step-group-name">{plainLabel(job.step?.groupLabel) || texts.job.group}</div>}
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

function Row(props: { job: JobView; earlier: JobView[]; grouped: boolean; chosen: string | null }) {
  const { job, earlier, grouped, chosen } = props;
  const current = job.uuid === chosen || earlier.some(({ uuid }) => uuid === chosen);
  return (
    <JobLink uuid={job.uuid} current={current} className={`job-row ${grouped ? 'job-row-grouped' : ''}`}>
      <StateMark state={job.state} />
      <span className="grow">
        <span className="job-name">{job.name}</span>
        {job.detail && <span className="muted"> {job.detail}</span>}
      </span>
      {earlier.length > 0 && <span className="tag">{texts.job.attempts(earlier.length + 1)}</span>}
      {job.triggered && <Icon name="trigger" />}
      <span className="muted tabular">
        {job.startedAt !== null && job.finishedAt !== null ? durationText(job.finishedAt - job.startedAt) : ''}
      </span>
    </JobLink>
  );
}
