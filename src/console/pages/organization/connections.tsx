import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { connections_organization$key } from '../../__generated__/connections_organization.graphql';
import type { connectionsCreateMutation } from '../../__generated__/connectionsCreateMutation.graphql';
import type { connectionsDeleteMutation } from '../../__generated__/connectionsDeleteMutation.graphql';
import type { connectionsMoreQuery } from '../../__generated__/connectionsMoreQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { SelectField, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { PagedTable } from '../../ui/paged-table';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment connections_organization on Organization
  @refetchable(queryName: "connectionsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
    id
    providerConnections(first: $count, after: $cursor) @connection(key: "connections_providerConnections") {
      edges {
        node {
          uuid
          provider
          host
          apiUrl
          createdAt
        }
      }
    }
  }
`;

const createDocument = graphql`
  mutation connectionsCreateMutation($input: ProviderConnectionCreateInput!) {
    providerConnectionCreate(input: $input) {
      providerConnection {
        uuid
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation connectionsDeleteMutation($input: ProviderConnectionDeleteInput!) {
    providerConnectionDelete(input: $input) {
      organization {
        id
      }
    }
  }
`;

interface Props {
  organization: connections_organization$key;
  refetch: () => void;
}

/** Source providers that commit statuses are published at, each with a token that is never shown again. */
export function Connections({ organization, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<connectionsMoreQuery, connections_organization$key>(
    fragment,
    organization,
  );
  const [creating, setCreating] = useState(false);
  const { connections } = texts.organization;
  return (
    <Section
      title={connections.title}
      actions={
        <button type="button" className="button" onClick={() => setCreating(true)}>
          {connections.new}
        </button>
      }
    >
      <p className="muted">{connections.what}</p>
      <PagedTable
        more={more}
        label={connections.title}
        items={nodesOf(data.providerConnections)}
        keyOf={({ uuid }) => uuid}
        empty={connections.none}
        columns={[
          { title: connections.host, cell: ({ host }) => host },
          { title: connections.api, cell: ({ apiUrl }) => <code>{apiUrl}</code> },
          { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          {
            title: texts.common.actions,
            cell: ({ uuid, host }) => (
              <ConfirmButton<connectionsDeleteMutation>
                label={texts.common.delete}
                question={texts.common.deleteQuestion(host)}
                mutation={deleteDocument}
                input={{ id: uuid }}
                done={refetch}
              />
            ),
          },
        ]}
      />
      {creating && <NewConnectionDialog organizationId={data.id} close={() => setCreating(false)} done={refetch} />}
    </Section>
  );
}

interface Values {
  provider: string;
  apiUrl: string;
  host: string;
  token: string;
}

function NewConnectionDialog(props: { organizationId: string; close: () => void; done: () => void }) {
  const form = useForm<Values, connectionsCreateMutation>(createDocument, {
    key: `connection:${props.organizationId}`,
    secret: true,
    initial: { provider: 'github', apiUrl: '', host: '', token: '' },
    variables: ({ provider, apiUrl, host, token }) => ({
      input: {
        organizationId: props.organizationId,
        provider,
        token,
        apiUrl: apiUrl || null,
        host: host || null,
      },
    }),
    done: () => {
      props.close();
      props.done();
    },
  });
  const { connections } = texts.organization;
  return (
    <FormDialog title={connections.new} form={form} submit={texts.common.create} close={props.close}>
      <SelectField
        label={connections.provider}
        {...form.text('provider')}
        choices={Object.entries(connections.providers).map(([value, label]) => ({ value, label }))}
      />
      {form.values.provider === 'github_enterprise' && (
        <>
          <TextField label={connections.api} type="url" required {...form.text('apiUrl')} />
          <TextField label={connections.host} hint={connections.hostHint} {...form.text('host')} />
        </>
      )}
      <TextField
        label={connections.token}
        hint={connections.tokenHint}
        type="password"
        required
        {...form.text('token')}
      />
    </FormDialog>
  );
}
