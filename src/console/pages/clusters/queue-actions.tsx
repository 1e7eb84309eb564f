import { useState } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { queueActions_queue$key } from '../../__generated__/queueActions_queue.graphql';
import type { queueActionsPauseMutation } from '../../__generated__/queueActionsPauseMutation.graphql';
import type { queueActionsResumeMutation } from '../../__generated__/queueActionsResumeMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment queueActions_queue on ClusterQueue {
    id
    key
    dispatchPaused
    dispatchPausedNote
  }
`;

const pauseDocument = graphql`
  mutation queueActionsPauseMutation($input: ClusterQueuePauseDispatchInput!) {
    clusterQueuePauseDispatch(input: $input) {
      queue {
        ...queueActions_queue
      }
    }
  }
`;

const resumeDocument = graphql`
  mutation queueActionsResumeMutation($input: ClusterQueueResumeDispatchInput!) {
    clusterQueueResumeDispatch(input: $input) {
      queue {
        ...queueActions_queue
      }
    }
  }
`;

/** Whether a queue gives out jobs, and the button that changes it; a pause can say why. */
export function QueueActions({ queue, mayChange }: { queue: queueActions_queue$key; mayChange: boolean }) {
  const { id, key, dispatchPaused, dispatchPausedNote } = useFragment(fragment, queue);
  const [pausing, setPausing] = useState(false);
  const resume = useCommand<queueActionsResumeMutation>(resumeDocument);
  return (
    <span className="row">
      {dispatchPaused && <span className="tag">{dispatchPausedNote || texts.resources.paused}</span>}
      {mayChange && (
        <button
          type="button"
          className="button"
          disabled={resume.pending}
          onClick={() => (dispatchPaused ? void resume.run({ input: { id } }) : setPausing(true))}
        >
          {dispatchPaused ? texts.resources.resume : texts.resources.pause}
        </button>
      )}
      {pausing && <PauseDialog id={id} name={key} close={() => setPausing(false)} />}
    </span>
  );
}

function PauseDialog({ id, name, close }: { id: string; name: string; close: () => void }) {
  const form = useForm<{ note: string }, queueActionsPauseMutation>(pauseDocument, {
    key: `pause:${id}`,
    initial: { note: '' },
    variables: ({ note }) => ({ input: { id, note: note || null } }),
    done: close,
  });
  return (
    <FormDialog title={texts.clusters.pauseQueue(name)} form={form} submit={texts.resources.pause} close={close}>
      <p>{texts.clusters.pauseText}</p>
      <TextField label={texts.fields.note} autoFocus {...form.text('note')} />
    </FormDialog>
  );
}
