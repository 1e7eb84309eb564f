import { graphql } from 'react-relay';
import type { jobActionsCancelMutation } from '../../../__generated__/jobActionsCancelMutation.graphql';
import type { jobActionsPriorityMutation } from '../../../__generated__/jobActionsPriorityMutation.graphql';
import type { jobActionsRetryMutation } from '../../../__generated__/jobActionsRetryMutation.graphql';
import { useState } from 'react';
import { useCommand } from '../../../relay/use-command';
import { texts } from '../../../texts/texts';
import { Dialog } from '../../../ui/dialog';
import { FormError, TextField } from '../../../ui/field';
import { Icon } from '../../../ui/icon';
import type { JobView } from '../steps/job-view';

const retryDocument = graphql`
  mutation jobActionsRetryMutation($input: JobTypeCommandRetryInput!) {
    jobTypeCommandRetry(input: $input) {
      jobTypeCommand {
        ...jobFields_job
      }
      retriedInJobTypeCommand {
        id
        uuid
      }
    }
  }
`;

const cancelDocument = graphql`
  mutation jobActionsCancelMutation($input: JobTypeCommandCancelInput!) {
    jobTypeCommandCancel(input: $input) {
      jobTypeCommand {
        ...jobFields_job
      }
    }
  }
`;

const priorityDocument = graphql`
  mutation jobActionsPriorityMutation($input: JobTypeCommandReprioritizeInput!) {
    jobTypeCommandReprioritize(input: $input) {
      jobTypeCommand {
        id
        priority {
          number
        }
      }
    }
  }
`;

const retryable = ['FAILED', 'SOFT_FAILED', 'TIMED_OUT', 'CANCELED', 'EXPIRED', 'PASSED'];
const cancelable = ['RUNNING', 'SCHEDULED', 'ASSIGNED', 'ACCEPTED', 'LIMITED', 'LIMITING', 'WAITING', 'PENDING'];
const waiting = ['SCHEDULED', 'LIMITED', 'LIMITING', 'WAITING', 'PENDING'];

/** Retry, cancel and change the priority of a command job, as its state allows. */
export function JobActions({ job }: { job: JobView }) {
  const retry = useCommand<jobActionsRetryMutation>(retryDocument);
  const cancel = useCommand<jobActionsCancelMutation>(cancelDocument);
  const [prioritizing, setPrioritizing] = useState(false);
  if (job.type !== 'command') return null;
  const input = { id: job.id };
  return (
    <>
      {waiting.includes(job.state) && (
        <button type="button" className="button" onClick={() => setPrioritizing(true)}>
          {texts.job.setPriority}
        </button>
      )}
      {retryable.includes(job.state) && !job.retried && (
        <button type="button" className="button" disabled={retry.pending} onClick={() => void retry.run({ input })}>
          <Icon name="retry" />
          {texts.job.retry}
        </button>
      )}
      {cancelable.includes(job.state) && (
        <button
          type="button"
          className="button button-danger"
          disabled={cancel.pending}
          onClick={() => void cancel.run({ input })}
        >
          <Icon name="stop" />
          {texts.job.cancel}
        </button>
      )}
      {prioritizing && <PriorityDialog jobId={job.id} close={() => setPrioritizing(false)} />}
    </>
  );
}

function PriorityDialog({ jobId, close }: { jobId: string; close: () => void }) {
  const [value, setValue] = useState('0');
  const { run, pending, error } = useCommand<jobActionsPriorityMutation>(priorityDocument, { quiet: true });
  const submit = async () => {
    const done = await run({ input: { id: jobId, priority: Number(value) || 0 } });
    if (done) close();
  };
  return (
    <Dialog title={texts.job.setPriority} open onClose={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField label={texts.job.priority} type="number" autoFocus value={value} onChange={setValue} />
        <FormError error={error} fields={[]} />
        <div className="dialog-foot">
          <button type="button" className="button" onClick={close}>
            {texts.common.cancel}
          </button>
          <button type="submit" className="button button-primary" disabled={pending}>
            {texts.common.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
