import { graphql, useFragment } from 'react-relay';
import type { agentActions_agent$key } from '../../__generated__/agentActions_agent.graphql';
import type { agentActionsPauseMutation } from '../../__generated__/agentActionsPauseMutation.graphql';
import type { agentActionsResumeMutation } from '../../__generated__/agentActionsResumeMutation.graphql';
import type { agentActionsStopMutation } from '../../__generated__/agentActionsStopMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';

const fragment = graphql`
  fragment agentActions_agent on Agent {
    id
    paused
    permissions {
      agentStop {
        allowed
      }
    }
  }
`;

const pauseDocument = graphql`
  mutation agentActionsPauseMutation($input: AgentPauseInput!) {
    agentPause(input: $input) {
      agent {
        id
        paused
      }
    }
  }
`;

const resumeDocument = graphql`
  mutation agentActionsResumeMutation($input: AgentResumeInput!) {
    agentResume(input: $input) {
      agent {
        id
        paused
      }
    }
  }
`;

const stopDocument = graphql`
  mutation agentActionsStopMutation($input: AgentStopInput!) {
    agentStop(input: $input) {
      agent {
        id
        connectionState
      }
    }
  }
`;

/** Pause, resume and stop; a stopped agent finishes its job first. */
export function AgentActions({ agent }: { agent: agentActions_agent$key }) {
  const { id, paused, permissions } = useFragment(fragment, agent);
  const pause = useCommand<agentActionsPauseMutation>(pauseDocument);
  const resume = useCommand<agentActionsResumeMutation>(resumeDocument);
  const stop = useCommand<agentActionsStopMutation>(stopDocument);
  if (!permissions.agentStop?.allowed) return null;
  return (
    <span className="row">
      <button
        type="button"
        className="button"
        disabled={pause.pending || resume.pending}
        onClick={() => void (paused ? resume : pause).run({ input: { id } })}
      >
        {paused ? texts.resources.resume : texts.resources.pause}
      </button>
      <button
        type="button"
        className="button button-danger"
        disabled={stop.pending}
        onClick={() => void stop.run({ input: { id, graceful: true } })}
      >
        {texts.resources.stop}
      </button>
    </span>
  );
}
