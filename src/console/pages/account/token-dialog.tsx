import { graphql } from 'react-relay';
import type { APIAccessTokenScopes, tokenDialogMutation } from '../../__generated__/tokenDialogMutation.graphql';
import { texts } from '../../texts/texts';
import { CheckList, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';

const mutation = graphql`
  mutation tokenDialogMutation($input: APIAccessTokenCreateInput!) {
    apiAccessTokenCreate(input: $input) {
      tokenValue
    }
  }
`;

/** Scopes that an API token of this service can have. */
const scopes: APIAccessTokenScopes[] = [
  'READ_PIPELINES',
  'WRITE_PIPELINES',
  'READ_BUILDS',
  'WRITE_BUILDS',
  'READ_BUILD_LOGS',
  'WRITE_BUILD_LOGS',
  'READ_JOB_ENV',
  'READ_ARTIFACTS',
  'WRITE_ARTIFACTS',
  'READ_AGENTS',
  'WRITE_AGENTS',
  'READ_CLUSTERS',
  'WRITE_CLUSTERS',
  'READ_PIPELINE_TEMPLATES',
  'WRITE_PIPELINE_TEMPLATES',
  'READ_RULES',
  'WRITE_RULES',
  'READ_ORGANIZATIONS',
  'WRITE_ORGANIZATIONS',
  'READ_ORGANIZATION_SETTINGS',
  'WRITE_ORGANIZATION_SETTINGS',
  'READ_ORGANIZATION_REPOSITORY_CONNECTIONS',
  'READ_NOTIFICATION_SERVICES',
  'WRITE_NOTIFICATION_SERVICES',
  'READ_TEAMS',
  'WRITE_TEAMS',
  'READ_USER',
  'READ_AUDIT_EVENTS',
  'READ_SECRETS_DETAILS',
  'WRITE_SECRETS',
  'READ_SUITES',
  'WRITE_SUITES',
  'READ_TEST_PLAN',
  'WRITE_TEST_PLAN',
  'GRAPHQL',
];

interface Values {
  description: string;
  scopes: string[];
  organizations: string[];
  expiresAt: string;
}

/** Creates an API token and passes its value, which is shown only once, to `done`. */
export function NewTokenDialog(props: {
  organizations: readonly { readonly id: string; readonly name: string }[];
  close: () => void;
  done: (token: string) => void;
}) {
  const form = useForm<Values, tokenDialogMutation>(mutation, {
    key: 'api-token',
    initial: { description: '', scopes: ['READ_PIPELINES', 'READ_BUILDS'], organizations: [], expiresAt: '' },
    variables: (values) => ({
      input: {
        description: values.description,
        scopes: values.scopes as APIAccessTokenScopes[],
        organizationIds: values.organizations.length > 0 ? values.organizations : null,
        expiresAt: values.expiresAt === '' ? null : new Date(values.expiresAt).toISOString(),
      },
    }),
    done: (response) => props.done(response.apiAccessTokenCreate?.tokenValue ?? ''),
  });
  return (
    <FormDialog title={texts.account.newToken} form={form} submit={texts.common.create} close={props.close} wide>
      <TextField label={texts.fields.description} required autoFocus {...form.text('description')} />
      <CheckList
        label={texts.fields.scopes}
        error={form.list('scopes')}
        choices={scopes.map((scope) => ({ value: scope, label: scope.toLowerCase() }))}
        chosen={form.values.scopes}
        onChange={(chosen) => form.change({ scopes: chosen })}
      />
      <CheckList
        label={texts.account.organizations}
        hint={texts.account.organizationsHint}
        error={form.list('organizations', 'organizationIds')}
        choices={props.organizations.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={form.values.organizations}
        onChange={(chosen) => form.change({ organizations: chosen })}
      />
      <TextField label={texts.fields.expires} type="datetime-local" {...form.text('expiresAt')} />
    </FormDialog>
  );
}
