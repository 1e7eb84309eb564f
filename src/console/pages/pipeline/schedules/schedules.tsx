import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type {
  schedules_pipeline$data,
  schedules_pipeline$key,
} from '../../../__generated__/schedules_pipeline.graphql';
import type { schedulesDeleteMutation } from '../../../__generated__/schedulesDeleteMutation.graphql';
import type { schedulesMoreQuery } from '../../../__generated__/schedulesMoreQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { ConfirmButton } from '../../../ui/confirm-button';
import { PagedTable } from '../../../ui/paged-table';
import { Section } from '../../../ui/section';
import { RelativeTime } from '../../../ui/time';
import { EditScheduleDialog, NewScheduleDialog } from './schedule-dialog';

const fragment = graphql`
  fragment schedules_pipeline on Pipeline
  @refetchable(queryName: "schedulesMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    defaultBranch
    permissions {
      pipelineScheduleCreate {
        allowed
      }
    }
    schedules(first: $count, after: $cursor) @connection(key: "schedules_schedules") {
      edges {
        node {
          id
          label
          cronline
          branch
          commit
          message
          env
          enabled
          nextBuildAt
          failedMessage
          permissions {
            pipelineScheduleUpdate {
              allowed
            }
            pipelineScheduleDelete {
              allowed
            }
          }
        }
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation schedulesDeleteMutation($input: PipelineScheduleDeleteInput!) {
    pipelineScheduleDelete(input: $input) {
      deletedPipelineScheduleID
    }
  }
`;

type Edge = NonNullable<NonNullable<schedules_pipeline$data['schedules']>['edges']>[number];
type Schedule = NonNullable<NonNullable<Edge>['node']>;

interface Props {
  organization: string;
  pipeline: schedules_pipeline$key;
  refetch: () => void;
}

/** Times at which a pipeline is built by itself. */
export function Schedules({ organization, pipeline, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<schedulesMoreQuery, schedules_pipeline$key>(fragment, pipeline);
  const [open, setOpen] = useState<'new' | Schedule | null>(null);
  const shared = { organization, close: () => setOpen(null), done: refetch };
  return (
    <Section
      title={texts.pipeline.schedules}
      actions={
        data.permissions.pipelineScheduleCreate.allowed && (
          <button type="button" className="button button-primary" onClick={() => setOpen('new')}>
            {texts.schedules.new}
          </button>
        )
      }
    >
      <PagedTable
        more={more}
        label={texts.pipeline.schedules}
        items={nodesOf(data.schedules)}
        keyOf={({ id }) => id}
        empty={texts.settings.noSchedules}
        columns={[
          { title: texts.fields.name, cell: ({ label }) => label },
          { title: texts.settings.cron, cell: ({ cronline }) => <code>{cronline}</code> },
          { title: texts.pipeline.branch, cell: ({ branch }) => branch },
          {
            title: texts.settings.next,
            cell: ({ nextBuildAt, enabled, failedMessage }) =>
              enabled ? <RelativeTime at={nextBuildAt} /> : (failedMessage ?? texts.schedules.disabled),
          },
          {
            title: texts.common.actions,
            cell: (schedule) => (
              <span className="row">
                {schedule.permissions.pipelineScheduleUpdate?.allowed && (
                  <button type="button" className="button" onClick={() => setOpen(schedule)}>
                    {texts.common.edit}
                  </button>
                )}
                {schedule.permissions.pipelineScheduleDelete?.allowed && (
                  <ConfirmButton<schedulesDeleteMutation>
                    label={texts.common.delete}
                    question={texts.common.deleteQuestion(schedule.label || schedule.cronline)}
                    mutation={deleteDocument}
                    input={{ id: schedule.id }}
                    done={refetch}
                  />
                )}
              </span>
            ),
          },
        ]}
      />
      {open === 'new' && <NewScheduleDialog pipelineId={data.id} branch={data.defaultBranch ?? ''} {...shared} />}
      {open !== null && open !== 'new' && (
        <EditScheduleDialog
          key={open.id}
          id={open.id}
          values={{
            label: open.label,
            cronline: open.cronline,
            branch: open.branch ?? '',
            commit: open.commit ?? '',
            message: open.message ?? '',
            env: (open.env ?? []).join('\n'),
            enabled: open.enabled ?? false,
          }}
          {...shared}
        />
      )}
    </Section>
  );
}
