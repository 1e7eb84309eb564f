import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { invitations_organization$key } from '../../__generated__/invitations_organization.graphql';
import type {
  invitationsCreateMutation,
  OrganizationMemberRole,
} from '../../__generated__/invitationsCreateMutation.graphql';
import type { invitationsMoreQuery } from '../../__generated__/invitationsMoreQuery.graphql';
import type { invitationsRevokeMutation } from '../../__generated__/invitationsRevokeMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { CopyLine } from '../../ui/copy-button';
import { Dialog } from '../../ui/dialog';
import { SelectField, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { PagedTable } from '../../ui/paged-table';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment invitations_organization on Organization
  @refetchable(queryName: "invitationsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
    id
    invitations(first: $count, after: $cursor, state: [PENDING]) @connection(key: "invitations_invitations") {
      edges {
        node {
          id
          email
          role
          createdAt
          createdBy {
            name
          }
          expiresAt
        }
      }
    }
  }
`;

const createDocument = graphql`
  mutation invitationsCreateMutation($input: OrganizationInvitationCreateInput!) {
    organizationInvitationCreate(input: $input) {
      invitationEdges {
        node {
          email
          acceptUrl
        }
      }
    }
  }
`;

const revokeDocument = graphql`
  mutation invitationsRevokeMutation($input: OrganizationInvitationRevokeInput!) {
    organizationInvitationRevoke(input: $input) {
      organizationInvitation {
        id
      }
    }
  }
`;

interface Made {
  email: string;
  address: string;
}

/** Lists the open invitations. Its form makes another and shows its link once, for the inviter to pass on. */
export function Invitations(props: { organization: invitations_organization$key; refetch: () => void }) {
  const { data, ...more } = usePaginationFragment<invitationsMoreQuery, invitations_organization$key>(
    fragment,
    props.organization,
  );
  const [creating, setCreating] = useState(false);
  const [newInvitations, setMade] = useState<Made[]>([]);
  const { invitations } = texts;
  return (
    <Section
      title={invitations.title}
      actions={
        <button type="button" className="button" onClick={() => setCreating(true)}>
          {invitations.new}
        </button>
      }
    >
      <PagedTable
        more={more}
        label={invitations.title}
        items={nodesOf(data.invitations)}
        keyOf={({ id }) => id}
        empty={invitations.none}
        columns={[
          { title: texts.fields.email, cell: ({ email }) => email },
          { title: texts.fields.role, cell: ({ role }) => texts.members.roles[role] },
          {
            title: texts.fields.created,
            cell: ({ createdAt, createdBy }) => (
              <>
                <RelativeTime at={createdAt} /> <span className="muted">{createdBy?.name}</span>
              </>
            ),
          },
          { title: texts.fields.expires, cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
          {
            title: texts.common.actions,
            cell: ({ id, email }) => (
              <ConfirmButton<invitationsRevokeMutation>
                label={texts.common.revoke}
                question={texts.common.revokeQuestion(email)}
                mutation={revokeDocument}
                input={{ id }}
                done={props.refetch}
              />
            ),
          },
        ]}
      />
      {creating && (
        <InviteDialog
          organizationId={data.id}
          close={() => setCreating(false)}
          done={(next) => {
            setCreating(false);
            setMade(next);
            props.refetch();
          }}
        />
      )}
      {newInvitations.length > 0 && (
        <Dialog title={invitations.handOver} open onClose={() => setMade([])} wide>
          <p>{invitations.handOverText}</p>
          {newInvitations.map(({ email, address }) => (
            <div key={email} className="stack stack-s">
              <strong>{email}</strong>
              <CopyLine text={address} />
            </div>
          ))}
          <div className="dialog-foot">
            <button type="button" className="button button-primary" onClick={() => setMade([])}>
              {texts.common.done}
            </button>
          </div>
        </Dialog>
      )}
    </Section>
  );
}

interface Values {
  emails: string;
  role: OrganizationMemberRole;
}

function InviteDialog(props: { organizationId: string; close: () => void; done: (invitations: Made[]) => void }) {
  const form = useForm<Values, invitationsCreateMutation>(createDocument, {
    key: `invite:${props.organizationId}`,
    initial: { emails: '', role: 'MEMBER' },
    variables: ({ emails, role }) => ({
      input: { organizationID: props.organizationId, role, emails: emails.split(/[\s,;]+/).filter(Boolean) },
    }),
    done: ({ organizationInvitationCreate: reply }) =>
      props.done(
        (reply?.invitationEdges ?? []).flatMap((edge) =>
          edge?.node?.acceptUrl ? [{ email: edge.node.email, address: edge.node.acceptUrl }] : [],
        ),
      ),
  });
  return (
    <FormDialog title={texts.invitations.new} form={form} submit={texts.invitations.invite} close={props.close}>
      <TextField
        label={texts.invitations.emails}
        hint={texts.invitations.emailsHint}
        lines={3}
        required
        autoFocus
        {...form.text('emails')}
      />
      <SelectField
        label={texts.fields.role}
        value={form.values.role}
        error={form.list('role')}
        onChange={(role) => form.change({ role: role as OrganizationMemberRole })}
        choices={Object.entries(texts.members.roles).map(([value, label]) => ({ value, label }))}
      />
    </FormDialog>
  );
}
