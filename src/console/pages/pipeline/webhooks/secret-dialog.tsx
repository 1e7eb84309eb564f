import { graphql } from 'react-relay';
import type { secretDialogMutation } from '../../../__generated__/secretDialogMutation.graphql';
import { texts } from '../../../texts/texts';
import { TextField } from '../../../ui/field';
import { FormDialog } from '../../../ui/form';
import { showToast } from '../../../ui/toast';
import { useForm } from '../../../ui/use-form';

const mutation = graphql`
  mutation secretDialogMutation($input: PipelineSetWebhookSecretInput!) {
    pipelineSetWebhookSecret(input: $input) {
      pipeline {
        id
      }
    }
  }
`;

/** Sets the secret that the provider signs its deliveries with; an empty one removes it. */
export function SecretDialog({ pipelineId, close }: { pipelineId: string; close: () => void }) {
  const form = useForm<{ secret: string }, secretDialogMutation>(mutation, {
    key: `webhook-secret:${pipelineId}`,
    secret: true,
    initial: { secret: '' },
    variables: ({ secret }) => ({ input: { id: pipelineId, secret: secret || null } }),
    done: () => {
      showToast({ text: texts.common.saved });
      close();
    },
  });
  return (
    <FormDialog title={texts.webhooks.setSecret} form={form} submit={texts.common.save} close={close}>
      <TextField
        label={texts.webhooks.secret}
        hint={texts.webhooks.secretHint}
        type="password"
        autoFocus
        {...form.text('secret')}
      />
    </FormDialog>
  );
}
