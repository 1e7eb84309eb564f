import { useState } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { agentActions_agent$key } from '../../__generated__/agentActions_agent.graphql';
import type { agentActionsPauseMutation } from '../../__generated__/agentActionsPauseMutation.graphql';
import type { agentActionsResumeMutation } from '../../__generated__/agentActionsResumeMutation.graphql';
import type { agentActionsStopMutation } from '../../__generated__/agentActionsStopMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { CheckField, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment agentActions_agent on Agent {
    id
    name
    connectionState
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

/** Pause, resume and stop. A stopped agent finishes its job first, unless it is stopped at once. */
export function AgentActions({ agent }: { agent: agentActions_agent$key }) {
  const { id, name, paused, connectionState, permissions } = useFragment(fragment, agent);
  const [open, setOpen] = useState<'pause' | 'stop' | null>(null);
  const resume = useCommand<agentActionsResumeMutation>(resumeDocument);
  if (!permissions.agentStop?.allowed || connectionState !== 'connected') return null;
  const close = () => setOpen(null);
  return (
    <span className="row">
      <button
        type="button"
        className="button"
        disabled={resume.pending}
        onClick={() => (paused ? void resume.run({ input: { id } }) : setOpen('pause'))}
      >
        {paused ? texts.resources.resume : texts.resources.pause}
      </button>
      <button type="button" className="button button-danger" onClick={() => setOpen('stop')}>
        {texts.resources.stop}
      </button>
      {open === 'pause' && <PauseDialog id={id} name={name} close={close} />}
      {open === 'stop' && <StopDialog id={id} name={name} close={close} />}
    </span>
  );
}

interface DialogProps {
  id: string;
  name: string;
  close: () => void;
}

function PauseDialog({ id, name, close }: DialogProps) {
  const form = useForm<{ note: string; minutes: string }, agentActionsPauseMutation>(pauseDocument, {
    key: `pause:${id}`,
    initial: { note: '', minutes: '5' },
    variables: ({ note, minutes }) => ({
      input: { id, note: note || null, timeoutInMinutes: minutes === '' ? null : Number(minutes) },
    }),
    done: close,
  });
  return (
    <FormDialog title={texts.agents.pause(name)} form={form} submit={texts.resources.pause} close={close}>
      <p>{texts.agents.pauseText}</p>
      <TextField label={texts.fields.note} autoFocus {...form.text('note')} />
      <TextField label={texts.agents.minutes} type="number" {...form.text('minutes', 'timeoutInMinutes')} />
    </FormDialog>
  );
}

function StopDialog({ id, name, close }: DialogProps) {
  const form = useForm<{ force: boolean }, agentActionsStopMutation>(stopDocument, {
    key: `stop:${id}`,
    secret: true,
    initial: { force: false },
    variables: ({ force }) => ({ input: { id, graceful: !force } }),
    done: close,
  });
  return (
    <FormDialog title={texts.agents.stop(name)} form={form} submit={texts.resources.stop} danger close={close}>
      <p>{texts.agents.stopText}</p>
      <CheckField label={texts.agents.force} {...form.check('force')} />
    </FormDialog>
  );
}
