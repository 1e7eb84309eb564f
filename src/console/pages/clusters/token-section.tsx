import { useState } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { tokenSection_cluster$key } from '../../__generated__/tokenSection_cluster.graphql';
import type { tokenSectionCreateMutation } from '../../__generated__/tokenSectionCreateMutation.graphql';
import type { tokenSectionRevokeMutation } from '../../__generated__/tokenSectionRevokeMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { Table } from '../../ui/page';
import { Section } from '../../ui/section';
import { ShownOnce } from '../../ui/shown-once';
import { RelativeTime } from '../../ui/time';
import { useForm } from '../../ui/use-form';

// The lists of agent tokens have no cursors.
const fragment = graphql`
  fragment tokenSection_cluster on Cluster {
    id
    agentTokens(first: 500) {
      edges {
        node {
          id
          description
          allowedIpAddresses
          expiresAt
          createdAt
          createdBy {
            name
          }
        }
      }
    }
  }
`;

const createDocument = graphql`
  mutation tokenSectionCreateMutation($input: ClusterAgentTokenCreateInput!) {
    clusterAgentTokenCreate(input: $input) {
      tokenValue
    }
  }
`;

const revokeDocument = graphql`
  mutation tokenSectionRevokeMutation($input: ClusterAgentTokenRevokeInput!) {
    clusterAgentTokenRevoke(input: $input) {
      deletedClusterAgentTokenId
    }
  }
`;

interface Props {
  organizationId: string;
  cluster: tokenSection_cluster$key;
  refetch: () => void;
  mayChange: boolean;
}

/** Tokens that the agents of a cluster register with. */
export function TokenSection({ organizationId, cluster, refetch, mayChange }: Props) {
  const data = useFragment(fragment, cluster);
  const [creating, setCreating] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  return (
    <Section
      title={texts.resources.tokens}
      actions={
        mayChange && (
          <button type="button" className="button" onClick={() => setCreating(true)}>
            {texts.resources.newToken}
          </button>
        )
      }
    >
      <Table
        label={texts.resources.tokens}
        items={nodesOf(data.agentTokens)}
        keyOf={({ id }) => id}
        empty={texts.resources.noTokens}
        columns={[
          { title: texts.fields.description, cell: ({ description }) => description },
          { title: texts.fields.address, cell: ({ allowedIpAddresses }) => allowedIpAddresses },
          {
            title: texts.fields.created,
            cell: ({ createdAt, createdBy }) => (
              <>
                <RelativeTime at={createdAt} /> <span className="muted">{createdBy?.name}</span>
              </>
            ),
          },
          {
            title: texts.fields.expires,
            cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} /> : texts.common.never),
          },
          {
            title: texts.common.actions,
            cell: ({ id, description }) =>
              mayChange && (
                <ConfirmButton<tokenSectionRevokeMutation>
                  label={texts.common.revoke}
                  question={texts.common.revokeQuestion(description ?? '')}
                  mutation={revokeDocument}
                  input={{ id, organizationId }}
                  done={refetch}
                />
              ),
          },
        ]}
      />
      {creating && (
        <NewTokenDialog
          organizationId={organizationId}
          clusterId={data.id}
          close={() => setCreating(false)}
          done={(value) => {
            setCreating(false);
            setToken(value);
            refetch();
          }}
        />
      )}
      {token && <ShownOnce title={texts.resources.newToken} value={token} close={() => setToken(null)} />}
    </Section>
  );
}

interface Values {
  description: string;
  addresses: string;
  expiresAt: string;
}

function NewTokenDialog(props: {
  organizationId: string;
  clusterId: string;
  close: () => void;
  done: (token: string) => void;
}) {
  const form = useForm<Values, tokenSectionCreateMutation>(createDocument, {
    key: `agent-token:${props.clusterId}`,
    initial: { description: '', addresses: '', expiresAt: '' },
    variables: ({ description, addresses, expiresAt }) => ({
      input: {
        organizationId: props.organizationId,
        clusterId: props.clusterId,
        description,
        ...(addresses ? { allowedIpAddresses: addresses } : {}),
        ...(expiresAt ? { expiresAt: new Date(expiresAt).toISOString() } : {}),
      },
    }),
    done: (response) => props.done(response.clusterAgentTokenCreate?.tokenValue ?? ''),
  });
  return (
    <FormDialog title={texts.resources.newToken} form={form} submit={texts.common.create} close={props.close}>
      <TextField label={texts.fields.description} required autoFocus {...form.text('description')} />
      <TextField
        label={texts.clusters.addresses}
        hint={texts.clusters.addressesHint}
        {...form.text('addresses', 'allowedIpAddresses')}
      />
      <TextField label={texts.fields.expires} type="datetime-local" {...form.text('expiresAt')} />
    </FormDialog>
  );
}
