import { graphql } from 'react-relay';
import type { connectionDialogMutation } from '../../__generated__/connectionDialogMutation.graphql';
import { texts } from '../../texts/texts';
import { SelectField, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';

const document = graphql`
  mutation connectionDialogMutation($input: ProviderConnectionCreateInput!) {
    providerConnectionCreate(input: $input) {
      providerConnection {
        uuid
      }
    }
  }
`;

interface Values {
  provider: string;
  name: string;
  apiUrl: string;
  host: string;
  username: string;
  token: string;
  appId: string;
  privateKey: string;
  webhookSecret: string;
}

/** Kinds of which there is no hosted one: their address must be told. */
const ownHost = ['github_enterprise', 'bitbucket_server', 'gitea'];
/** Kinds of which there is one, and others. */
const eitherHost = ['github_app', 'gitlab'];
const withAccount = ['bitbucket', 'bitbucket_server'];

/** Connects a source provider with the credential that its kind takes. */
export function ConnectionDialog(props: { organizationId: string; close: () => void; done: () => void }) {
  const form = useForm<Values, connectionDialogMutation>(document, {
    key: `connection:${props.organizationId}`,
    secret: true,
    initial: {
      provider: 'github',
      name: '',
      apiUrl: '',
      host: '',
      username: '',
      token: '',
      appId: '',
      privateKey: '',
      webhookSecret: '',
    },
    variables: (values) => {
      const isApp = values.provider === 'github_app';
      const hasHost = [...ownHost, ...eitherHost].includes(values.provider);
      return {
        input: {
          organizationId: props.organizationId,
          provider: values.provider,
          name: values.name || null,
          apiUrl: (hasHost && values.apiUrl) || null,
          host: (hasHost && values.host) || null,
          username: (withAccount.includes(values.provider) && values.username) || null,
          token: isApp ? null : values.token,
          appId: isApp ? values.appId : null,
          privateKey: isApp ? values.privateKey : null,
          webhookSecret: values.webhookSecret || null,
        },
      };
    },
    done: () => {
      props.close();
      props.done();
    },
  });
  const { connections } = texts.organization;
  const { provider } = form.values;
  return (
    <FormDialog title={connections.new} form={form} submit={texts.common.create} close={props.close}>
      <SelectField
        label={connections.provider}
        {...form.text('provider')}
        choices={Object.entries(connections.providers).map(([value, label]) => ({ value, label }))}
      />
      {[...ownHost, ...eitherHost].includes(provider) && (
        <>
          <TextField
            label={connections.api}
            hint={ownHost.includes(provider) ? connections.apiHint : connections.apiOfHosted}
            type="url"
            required={ownHost.includes(provider)}
            {...form.text('apiUrl')}
          />
          <TextField label={connections.host} hint={connections.hostHint} {...form.text('host')} />
        </>
      )}
      {provider === 'github_app' ? (
        <>
          <TextField label={connections.appId} required {...form.text('appId')} />
          <TextField
            label={connections.privateKey}
            hint={connections.privateKeyHint}
            lines={4}
            required
            {...form.text('privateKey')}
          />
        </>
      ) : (
        <>
          {withAccount.includes(provider) && (
            <TextField label={connections.username} hint={connections.usernameHint} {...form.text('username')} />
          )}
          <TextField
            label={connections.token}
            hint={connections.tokenHints[provider] ?? connections.tokenHint}
            type="password"
            required
            {...form.text('token')}
          />
        </>
      )}
      <TextField label={connections.name} hint={connections.nameHint} {...form.text('name')} />
      <TextField
        label={connections.webhookSecret}
        hint={connections.webhookSecretHint}
        type="password"
        {...form.text('webhookSecret')}
      />
    </FormDialog>
  );
}
