import { memo, useMemo, useState } from 'react';
import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { LabelText } from '../../../ui/label-text';
import { StateMark } from '../../../ui/state';
import { durationText } from '../../../ui/time-text';
import { JobLink } from './job-link';
import type { Attempts, JobView } from './job-view';
import { failedOf, isFiltering, type StepFilter, type StepRow, stepRows, type StepSet } from './step-rows';
import '../build.css';

/** From so many rows on, a list has a search. */
const searchFrom = 10;

/** The steps in their order; groups under their names, retries as attempts of one row, many jobs of a step in one. */
export function StepList({ attempts, chosen }: { attempts: Attempts[]; chosen: string | null }) {
  const [filter, setFilter] = useState<StepFilter>({ text: '', onlyFailed: false });
  const rows = useMemo(() => stepRows(attempts, filter), [attempts, filter]);
  const failedCount = useMemo(() => stepRows(attempts, { text: '', onlyFailed: true }).length, [attempts]);
  const { steps } = texts.build;
  return (
    <>
      {attempts.length >= searchFrom && (
        <div className="row row-wrap step-filter">
          <input
            className="input grow"
            type="search"
            aria-label={steps.search}
            placeholder={steps.search}
            value={filter.text}
            onChange={(event) => setFilter({ ...filter, text: event.target.value })}
          />
          <button
            type="button"
            className="button"
            aria-pressed={filter.onlyFailed}
            disabled={failedCount === 0 && !filter.onlyFailed}
            onClick={() => setFilter({ ...filter, onlyFailed: !filter.onlyFailed })}
          >
            {steps.failed(failedCount)}
          </button>
        </div>
      )}
      {isFiltering(filter) && (
        <p className="muted" role="status">
          {steps.matches(rows.length)}
        </p>
      )}
      <ol className="card">
        {rows.map((row, index) => {
          const { job } = row.set ? (row.set.jobs[0] ?? {}) : row.job;
          const group = job?.step?.groupUuid ?? null;
          const opens = group !== null && group !== groupOf(rows[index - 1]);
          return (
            <li key={row.set?.step ?? job?.uuid}>
              {opens && (
                <div className="step-group-name">
                  <LabelText text={job?.step?.groupLabel || texts.job.group} />
                </div>
              )}
              {row.set ? (
                <SetRows set={row.set} grouped={group !== null} chosen={chosen} />
              ) : (
                <JobOrWait {...row.job} grouped={group !== null} chosen={chosen} />
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

const groupOf = (row: StepRow | undefined): string | null =>
  (row?.set ? row.set.jobs[0] : row?.job)?.job.step?.groupUuid ?? null;

function JobOrWait(props: RowProps) {
  const { job } = props;
  if (job.type !== 'wait') return <Row {...props} />;
  return (
    <div className="job-row job-row-wait">
      <Icon name="wait" size={13} />
      {job.name}
    </div>
  );
}

/** Many jobs of one step: how many have passed, those that failed, and all of them on request. */
function SetRows({ set, grouped, chosen }: { set: StepSet; grouped: boolean; chosen: string | null }) {
  const [isOpened, setOpened] = useState<boolean | null>(null);
  const failed = failedOf(set);
  // A link to one of the jobs opens the row.
  const holds = (jobs: readonly Attempts[]) => jobs.some((each) => isCurrent({ ...each, chosen }));
  const isOpen = isOpened ?? (holds(set.jobs) && !holds(failed));
  return (
    <>
      <button
        type="button"
        className={`job-row step-set ${grouped ? 'job-row-grouped' : ''}`}
        aria-expanded={isOpen}
        onClick={() => setOpened(!isOpen)}
      >
        <StateMark state={set.state} />
        <span className="grow">
          <span className="job-name">
            <LabelText text={set.label} />
          </span>
        </span>
        <span className="muted tabular">{texts.build.steps.passed(set.passed, set.jobs.length)}</span>
        <Icon name="chevron" size={12} />
      </button>
      {(isOpen ? set.jobs : failed).map((each) => (
        <Row key={each.job.uuid} {...each} grouped chosen={chosen} />
      ))}
    </>
  );
}

interface RowProps {
  job: JobView;
  earlier: JobView[];
  grouped: boolean;
  chosen: string | null;
}

const isCurrent = ({ job, earlier, chosen }: Omit<RowProps, 'grouped'>) =>
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
