import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { triggers_pipeline$data, triggers_pipeline$key } from '../../../__generated__/triggers_pipeline.graphql';
import type { triggersDeleteMutation } from '../../../__generated__/triggersDeleteMutation.graphql';
import type { triggersMoreQuery } from '../../../__generated__/triggersMoreQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { ConfirmButton } from '../../../ui/confirm-button';
import { PagedTable } from '../../../ui/paged-table';
import { Section } from '../../../ui/section';
import { ShownOnce } from '../../../ui/shown-once';
import { RelativeTime } from '../../../ui/time';
import { EditTriggerDialog, NewTriggerDialog } from './trigger-dialog';

const fragment = graphql`
  fragment triggers_pipeline on Pipeline
  @refetchable(queryName: "triggersMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    defaultBranch
    permissions {
      pipelineUpdate {
        allowed
      }
    }
    triggers(first: $count, after: $cursor) @connection(key: "triggers_triggers") {
      edges {
        node {
          uuid
          description
          kind
          branch
          commit
          message
          enabled
          signed
          createdAt
        }
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation triggersDeleteMutation($input: PipelineTriggerDeleteInput!) {
    pipelineTriggerDelete(input: $input) {
      deletedPipelineTriggerUuid
    }
  }
`;

type Edge = NonNullable<triggers_pipeline$data['triggers']['edges']>[number];
type Trigger = NonNullable<NonNullable<Edge>['node']>;

interface Props {
  pipeline: triggers_pipeline$key;
  refetch: () => void;
}

/** Addresses that start builds of a pipeline when somebody posts to them. */
export function Triggers({ pipeline, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<triggersMoreQuery, triggers_pipeline$key>(fragment, pipeline);
  const [open, setOpen] = useState<'new' | Trigger | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  const mayChange = data.permissions.pipelineUpdate.allowed;
  const close = () => setOpen(null);
  return (
    <Section
      title={texts.triggers.title}
      actions={
        mayChange && (
          <button type="button" className="button button-primary" onClick={() => setOpen('new')}>
            {texts.triggers.new}
          </button>
        )
      }
    >
      <p className="muted">{texts.triggers.what}</p>
      <PagedTable
        more={more}
        label={texts.triggers.title}
        items={nodesOf(data.triggers)}
        keyOf={({ uuid }) => uuid}
        empty={texts.triggers.none}
        columns={[
          { title: texts.fields.description, cell: ({ description }) => description },
          { title: texts.triggers.kind, cell: ({ kind }) => kind },
          { title: texts.pipeline.branch, cell: ({ branch }) => branch },
          {
            title: texts.fields.state,
            cell: ({ enabled, signed }) => (
              <>
                {enabled ? texts.notifications.enabled : texts.notifications.disabled}{' '}
                {signed && <span className="tag">{texts.triggers.signed}</span>}
              </>
            ),
          },
          { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          {
            title: texts.common.actions,
            cell: (trigger) =>
              mayChange && (
                <span className="row">
                  <button type="button" className="button" onClick={() => setOpen(trigger)}>
                    {texts.common.edit}
                  </button>
                  <ConfirmButton<triggersDeleteMutation>
                    label={texts.common.delete}
                    question={texts.common.deleteQuestion(trigger.description || texts.triggers.one)}
                    mutation={deleteDocument}
                    input={{ pipelineId: data.id, id: trigger.uuid }}
                    done={refetch}
                  />
                </span>
              ),
          },
        ]}
      />
      {open === 'new' && (
        <NewTriggerDialog
          pipelineId={data.id}
          branch={data.defaultBranch ?? ''}
          close={close}
          done={(url) => {
            close();
            setAddress(url);
            refetch();
          }}
        />
      )}
      {open !== null && open !== 'new' && (
        <EditTriggerDialog
          pipelineId={data.id}
          id={open.uuid}
          values={{
            description: open.description ?? '',
            kind: open.kind,
            branch: open.branch,
            commit: open.commit,
            message: open.message,
            secret: '',
            enabled: open.enabled,
          }}
          close={close}
          done={() => {
            close();
            refetch();
          }}
        />
      )}
      {address && <ShownOnce title={texts.triggers.address} value={address} close={() => setAddress(null)} />}
    </Section>
  );
}
