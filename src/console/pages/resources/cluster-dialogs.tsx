import { useState } from 'react';
import { graphql } from 'react-relay';
import type { clusterDialogsSecretMutation } from '../../__generated__/clusterDialogsSecretMutation.graphql';
import type { clusterDialogsTokenMutation } from '../../__generated__/clusterDialogsTokenMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { CopyLine } from '../../ui/copy-button';
import { Dialog } from '../../ui/dialog';
import { FormError, problemOf, TextField } from '../../ui/field';

interface Props {
  organizationId: string;
  clusterId: string;
  close: () => void;
}

const tokenDocument = graphql`
  mutation clusterDialogsTokenMutation($input: ClusterAgentTokenCreateInput!) {
    clusterAgentTokenCreate(input: $input) {
      tokenValue
    }
  }
`;

const secretDocument = graphql`
  mutation clusterDialogsSecretMutation($input: SecretCreateInput!) {
    secretCreate(input: $input) {
      secret {
        id
      }
    }
  }
`;

/** Creates a token that agents register with, and shows it this once. */
export function NewTokenDialog({ organizationId, clusterId, close }: Props) {
  const [description, setDescription] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const { run, pending, error } = useCommand<clusterDialogsTokenMutation>(tokenDocument, { quiet: true });
  const submit = async () => {
    const response = await run({ input: { organizationId, clusterId, description } });
    setToken(response?.clusterAgentTokenCreate?.tokenValue ?? null);
  };
  return (
    <Dialog title={texts.resources.newToken} open onClose={close}>
      {token ? (
        <>
          <p>{texts.common.shownOnce}</p>
          <CopyLine text={token} />
        </>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <TextField
            label={texts.fields.description}
            required
            autoFocus
            value={description}
            error={problemOf(error, 'description')}
            onChange={setDescription}
          />
          <FormError error={error} fields={['description']} />
          <div className="dialog-foot">
            <button type="submit" className="button button-primary" disabled={pending}>
              {texts.common.create}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** Stores a secret. Its value is not kept in the browser, not even as a draft. */
export function NewSecretDialog({ organizationId, clusterId, close }: Props) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [description, setDescription] = useState('');
  const { run, pending, error } = useCommand<clusterDialogsSecretMutation>(secretDocument, { quiet: true });
  const submit = async () => {
    const response = await run({ input: { organizationId, clusterId, key, value, description: description || null } });
    if (response) close();
  };
  return (
    <Dialog title={texts.resources.newSecret} open onClose={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={texts.fields.key}
          required
          autoFocus
          value={key}
          error={problemOf(error, 'key')}
          onChange={setKey}
        />
        <TextField
          label={texts.fields.value}
          required
          lines={3}
          value={value}
          error={problemOf(error, 'value')}
          onChange={setValue}
        />
        <TextField label={texts.fields.description} value={description} onChange={setDescription} />
        <FormError error={error} fields={['key', 'value']} />
        <div className="dialog-foot">
          <button type="submit" className="button button-primary" disabled={pending}>
            {texts.common.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
