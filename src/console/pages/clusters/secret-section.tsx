import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { secretSection_cluster$key } from '../../__generated__/secretSection_cluster.graphql';
import type { secretSectionCreateMutation } from '../../__generated__/secretSectionCreateMutation.graphql';
import type { secretSectionDeleteMutation } from '../../__generated__/secretSectionDeleteMutation.graphql';
import type { secretSectionMoreQuery } from '../../__generated__/secretSectionMoreQuery.graphql';
import type { secretSectionUpdateMutation } from '../../__generated__/secretSectionUpdateMutation.graphql';
import type { secretSectionValueMutation } from '../../__generated__/secretSectionValueMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { PagedTable } from '../../ui/paged-table';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { type Form, useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment secretSection_cluster on Cluster
  @refetchable(queryName: "secretSectionMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    secrets(first: $count, after: $cursor) @connection(key: "secretSection_secrets") {
      edges {
        node {
          id
          key
          description
          policy
          lastReadAt
          updatedAt
        }
      }
    }
  }
`;

const createDocument = graphql`
  mutation secretSectionCreateMutation($input: SecretCreateInput!) {
    secretCreate(input: $input) {
      secret {
        id
      }
    }
  }
`;

const updateDocument = graphql`
  mutation secretSectionUpdateMutation($input: SecretUpdateInput!) {
    secretUpdate(input: $input) {
      secret {
        id
        description
        policy
      }
    }
  }
`;

const valueDocument = graphql`
  mutation secretSectionValueMutation($input: SecretUpdateValueInput!) {
    secretUpdateValue(input: $input) {
      secret {
        id
        updatedAt
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation secretSectionDeleteMutation($input: SecretDeleteInput!) {
    secretDelete(input: $input) {
      deletedSecretId
    }
  }
`;

interface Secret {
  id: string;
  key: string;
  description?: string | null | undefined;
  policy?: string | null | undefined;
}

interface Props {
  organizationId: string;
  cluster: secretSection_cluster$key;
  refetch: () => void;
}

/** Secrets of a cluster. Values go in and are never shown again. */
export function SecretSection({ organizationId, cluster, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<secretSectionMoreQuery, secretSection_cluster$key>(fragment, cluster);
  const [open, setOpen] = useState<{ what: 'new' } | { what: 'edit' | 'value'; secret: Secret } | null>(null);
  const close = () => setOpen(null);
  return (
    <Section
      title={texts.resources.secrets}
      actions={
        <button type="button" className="button" onClick={() => setOpen({ what: 'new' })}>
          {texts.resources.newSecret}
        </button>
      }
    >
      <PagedTable
        more={more}
        label={texts.resources.secrets}
        items={nodesOf(data.secrets)}
        keyOf={({ id }) => id}
        empty={texts.resources.noSecrets}
        columns={[
          { title: texts.fields.key, cell: ({ key }) => <code>{key}</code> },
          { title: texts.fields.description, cell: ({ description }) => description },
          {
            title: texts.fields.lastUsed,
            cell: ({ lastReadAt }) => (lastReadAt ? <RelativeTime at={lastReadAt} /> : texts.common.never),
          },
          {
            title: texts.common.actions,
            cell: (secret) => (
              <span className="row">
                <button type="button" className="button" onClick={() => setOpen({ what: 'edit', secret })}>
                  {texts.common.edit}
                </button>
                <button type="button" className="button" onClick={() => setOpen({ what: 'value', secret })}>
                  {texts.clusters.newValue}
                </button>
                <ConfirmButton<secretSectionDeleteMutation>
                  label={texts.common.delete}
                  question={texts.common.deleteQuestion(secret.key)}
                  mutation={deleteDocument}
                  input={{ id: secret.id, organizationId }}
                  done={refetch}
                />
              </span>
            ),
          },
        ]}
      />
      {open?.what === 'new' && (
        <NewSecretDialog organizationId={organizationId} clusterId={data.id} close={close} done={refetch} />
      )}
      {open?.what === 'edit' && <EditSecretDialog organizationId={organizationId} secret={open.secret} close={close} />}
      {open?.what === 'value' && <ValueDialog organizationId={organizationId} secret={open.secret} close={close} />}
    </Section>
  );
}

interface Values {
  key: string;
  value: string;
  description: string;
  policy: string;
}

function NewSecretDialog(props: { organizationId: string; clusterId: string; close: () => void; done: () => void }) {
  const form = useForm<Values, secretSectionCreateMutation>(createDocument, {
    key: `secret:${props.clusterId}`,
    secret: true,
    initial: { key: '', value: '', description: '', policy: '' },
    variables: ({ key, value, description, policy }) => ({
      input: {
        organizationId: props.organizationId,
        clusterId: props.clusterId,
        key,
        value,
        description: description || null,
        policy: policy || null,
      },
    }),
    done: () => {
      props.close();
      props.done();
    },
  });
  return (
    <FormDialog title={texts.resources.newSecret} form={form} submit={texts.common.create} close={props.close}>
      <TextField
        label={texts.fields.key}
        hint={texts.clusters.secretKeyHint}
        required
        autoFocus
        {...form.text('key')}
      />
      <TextField label={texts.fields.value} required lines={3} {...form.text('value')} />
      <Rest form={form} />
    </FormDialog>
  );
}

function EditSecretDialog(props: { organizationId: string; secret: Secret; close: () => void }) {
  const { id, description, policy } = props.secret;
  const form = useForm<{ description: string; policy: string }, secretSectionUpdateMutation>(updateDocument, {
    key: `secret:${id}`,
    secret: true,
    initial: { description: description ?? '', policy: policy ?? '' },
    variables: (values) => ({ input: { organizationId: props.organizationId, id, ...values } }),
    done: props.close,
  });
  return (
    <FormDialog title={props.secret.key} form={form} submit={texts.common.save} close={props.close}>
      <Rest form={form} />
    </FormDialog>
  );
}

function Rest({ form }: { form: Pick<Form<{ description: string; policy: string }>, 'text'> }) {
  return (
    <>
      <TextField label={texts.fields.description} {...form.text('description')} />
      <TextField label={texts.clusters.policy} hint={texts.clusters.policyHint} lines={4} {...form.text('policy')} />
    </>
  );
}

function ValueDialog(props: { organizationId: string; secret: Secret; close: () => void }) {
  const form = useForm<{ value: string }, secretSectionValueMutation>(valueDocument, {
    key: `secret-value:${props.secret.id}`,
    secret: true,
    initial: { value: '' },
    variables: ({ value }) => ({ input: { organizationId: props.organizationId, id: props.secret.id, value } }),
    done: props.close,
  });
  return (
    <FormDialog
      title={texts.clusters.newValueOf(props.secret.key)}
      form={form}
      submit={texts.common.save}
      close={props.close}
    >
      <TextField label={texts.fields.value} required autoFocus lines={3} {...form.text('value')} />
    </FormDialog>
  );
}
