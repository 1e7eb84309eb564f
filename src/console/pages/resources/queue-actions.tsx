import { graphql, useFragment } from 'react-relay';
import type { queueActions_queue$key } from '../../__generated__/queueActions_queue.graphql';
import type { queueActionsPauseMutation } from '../../__generated__/queueActionsPauseMutation.graphql';
import type { queueActionsResumeMutation } from '../../__generated__/queueActionsResumeMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';

const fragment = graphql`
  fragment queueActions_queue on ClusterQueue {
    id
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

/** Whether a queue gives out jobs, and the button that changes it. */
export function QueueActions({ queue }: { queue: queueActions_queue$key }) {
  const { id, dispatchPaused, dispatchPausedNote } = useFragment(fragment, queue);
  const pause = useCommand<queueActionsPauseMutation>(pauseDocument);
  const resume = useCommand<queueActionsResumeMutation>(resumeDocument);
  return (
    <span className="row">
      {dispatchPaused && <span className="tag">{dispatchPausedNote || texts.resources.paused}</span>}
      <button
        type="button"
        className="button"
        disabled={pause.pending || resume.pending}
        onClick={() => void (dispatchPaused ? resume : pause).run({ input: { id } })}
      >
        {dispatchPaused ? texts.resources.resume : texts.resources.pause}
      </button>
    </span>
  );
}
