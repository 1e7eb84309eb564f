import { graphql } from 'react-relay';
import type { jobActionsCancelMutation } from '../../../__generated__/jobActionsCancelMutation.graphql';
import type { jobActionsPriorityMutation } from '../../../__generated__/jobActionsPriorityMutation.graphql';
import type { jobActionsRetryMutation } from '../../../__generated__/jobActionsRetryMutation.graphql';
import { useState } from 'react';
import { useCommand } from '../../../relay/use-command';
import { texts } from '../../../texts/texts';
import { TextField } from '../../../ui/field';
import { FormDialog } from '../../../ui/form';
import { Icon } from '../../../ui/icon';
import { useForm } from '../../../ui/use-form';
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
export function JobActions({ job, onRetried }: { job: JobView; onRetried: (uuid: string) => void }) {
  const retry = useCommand<jobActionsRetryMutation>(retryDocument);
  const cancel = useCommand<jobActionsCancelMutation>(cancelDocument);
  const [prioritizing, setPrioritizing] = useState(false);
  if (job.type !== 'command') return null;
  const input = { id: job.id };
  const retryJob = async () => {
    const response = await retry.run({ input });
    const retried = response?.jobTypeCommandRetry?.retriedInJobTypeCommand;
    if (retried) onRetried(retried.uuid);
  };
  return (
    <>
      {waiting.includes(job.state) && (
        <button type="button" className="button" onClick={() => setPrioritizing(true)}>
          {texts.job.setPriority}
        </button>
      )}
      {retryable.includes(job.state) && !job.retried && (
        <button type="button" className="button" disabled={retry.pending} onClick={() => void retryJob()}>
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
  const form = useForm<{ priority: string }, jobActionsPriorityMutation>(priorityDocument, {
    key: `priority:${jobId}`,
    secret: true,
    initial: { priority: '0' },
    variables: ({ priority }) => ({ input: { id: jobId, priority: Number(priority) || 0 } }),
    done: close,
  });
  return (
    <FormDialog title={texts.job.setPriority} form={form} submit={texts.common.save} close={close}>
      <TextField label={texts.job.priority} type="number" autoFocus {...form.text('priority')} />
    </FormDialog>
  );
}
