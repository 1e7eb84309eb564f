import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { connections_organization$key } from '../../__generated__/connections_organization.graphql';
import type { connectionsDeleteMutation } from '../../__generated__/connectionsDeleteMutation.graphql';
import type { connectionsMoreQuery } from '../../__generated__/connectionsMoreQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { PagedTable } from '../../ui/paged-table';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { ConnectionCheck } from './connection-check';
import { ConnectionDialog } from './connection-dialog';

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
          name
          host
          apiUrl
          createdAt
          failingSince
          lastError
        }
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

/** Connections to source providers, with what they lack; their credentials are never shown again. */
export function Connections({ organization, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<connectionsMoreQuery, connections_organization$key>(
    fragment,
    organization,
  );
  const [creating, setCreating] = useState(false);
  const { connections } = texts.organization;
  const items = nodesOf(data.providerConnections);
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
      {items
        .filter(({ failingSince }) => failingSince)
        .map(({ uuid, name, failingSince, lastError }) => (
          <p key={uuid} role="alert" className="banner banner-bad">
            {connections.failing(name)} <RelativeTime at={failingSince} />: {lastError}
          </p>
        ))}
      <PagedTable
        more={more}
        label={connections.title}
        items={items}
        keyOf={({ uuid }) => uuid}
        empty={connections.none}
        columns={[
          { title: connections.name, cell: ({ name }) => name },
          { title: connections.provider, cell: ({ provider }) => connections.providers[provider] ?? provider },
          { title: connections.host, cell: ({ host }) => host },
          { title: connections.api, cell: ({ apiUrl }) => <code>{apiUrl}</code> },
          { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          {
            title: texts.common.actions,
            cell: ({ uuid, name }) => (
              <div className="row">
                <ConnectionCheck uuid={uuid} name={name} />
                <ConfirmButton<connectionsDeleteMutation>
                  label={texts.common.delete}
                  question={texts.common.deleteQuestion(name)}
                  mutation={deleteDocument}
                  input={{ id: uuid }}
                  done={refetch}
                />
              </div>
            ),
          },
        ]}
      />
      {creating && <ConnectionDialog organizationId={data.id} close={() => setCreating(false)} done={refetch} />}
    </Section>
  );
}
