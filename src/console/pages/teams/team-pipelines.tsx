import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { teamPipelines_team$key } from '../../__generated__/teamPipelines_team.graphql';
import type {
  PipelineAccessLevels,
  teamPipelinesAddMutation,
} from '../../__generated__/teamPipelinesAddMutation.graphql';
import type { teamPipelinesLevelMutation } from '../../__generated__/teamPipelinesLevelMutation.graphql';
import type { teamPipelinesMoreQuery } from '../../__generated__/teamPipelinesMoreQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';
import { AccessList } from './access-list';
import { PipelineField } from '../fields/pipeline-field';

const fragment = graphql`
  fragment teamPipelines_team on Team
  @refetchable(queryName: "teamPipelinesMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    permissions {
      teamPipelineCreate {
        allowed
      }
    }
    pipelines(first: $count, after: $cursor, order: NAME) @connection(key: "teamPipelines_pipelines") {
      edges {
        node {
          id
          accessLevel
          permissions {
            teamPipelineUpdate {
              allowed
            }
            teamPipelineDelete {
              allowed
            }
          }
          pipeline {
            name
            slug
          }
        }
      }
    }
  }
`;

const addDocument = graphql`
  mutation teamPipelinesAddMutation($input: TeamPipelineCreateInput!) {
    teamPipelineCreate(input: $input) {
      clientMutationId
    }
  }
`;

const levelDocument = graphql`
  mutation teamPipelinesLevelMutation($input: TeamPipelineUpdateInput!) {
    teamPipelineUpdate(input: $input) {
      teamPipeline {
        id
        accessLevel
      }
    }
  }
`;

const removeDocument = graphql`
  mutation teamPipelinesRemoveMutation($input: TeamPipelineDeleteInput!) {
    teamPipelineDelete(input: $input) {
      deletedTeamPipelineID
    }
  }
`;

const levels = () => [
  { value: 'MANAGE_BUILD_AND_READ', label: texts.teams.levels.manage },
  { value: 'BUILD_AND_READ', label: texts.teams.levels.build },
  { value: 'READ_ONLY', label: texts.teams.levels.read },
];

interface Props {
  organization: string;
  team: teamPipelines_team$key;
  refetch: () => void;
}

/** Pipelines of a team with what its members may do there. */
export function TeamPipelines({ organization, team, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<teamPipelinesMoreQuery, teamPipelines_team$key>(fragment, team);
  const [adding, setAdding] = useState(false);
  const level = useCommand<teamPipelinesLevelMutation>(levelDocument);
  const items = nodesOf(data.pipelines).map((item) => ({
    id: item.id,
    name: item.pipeline?.name ?? '',
    slug: item.pipeline?.slug ?? '',
    level: item.accessLevel,
    mayChange: item.permissions.teamPipelineUpdate?.allowed ?? false,
    mayRemove: item.permissions.teamPipelineDelete?.allowed ?? false,
  }));
  return (
    <AccessList
      title={texts.pipelines.title}
      empty={texts.teams.noPipelines}
      items={items}
      more={more}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ name, slug }) => (
            <Link to="/$organization/$pipeline" params={{ organization, pipeline: slug }}>
              {name}
            </Link>
          ),
        },
      ]}
      levels={levels()}
      levelTitle={texts.teams.level}
      setLevel={({ id }, next) => void level.run({ input: { id, accessLevel: next as PipelineAccessLevels } })}
      add={data.permissions.teamPipelineCreate?.allowed ? texts.teams.addPipeline : null}
      openDialog={() => setAdding(true)}
      removal={removeDocument}
      refetch={refetch}
    >
      {adding && (
        <AddPipeline organization={organization} teamId={data.id} close={() => setAdding(false)} done={refetch} />
      )}
    </AccessList>
  );
}

function AddPipeline(props: { organization: string; teamId: string; close: () => void; done: () => void }) {
  const form = useForm<{ pipeline: string; level: string }, teamPipelinesAddMutation>(addDocument, {
    key: `team-pipeline:${props.teamId}`,
    secret: true,
    initial: { pipeline: '', level: 'MANAGE_BUILD_AND_READ' },
    variables: ({ pipeline, level }) => ({
      input: { teamID: props.teamId, pipelineID: pipeline, accessLevel: level as PipelineAccessLevels },
    }),
    done: () => {
      props.close();
      props.done();
    },
  });
  const error = form.list('pipeline', 'pipelineID', 'pipelineId');
  return (
    <FormDialog title={texts.teams.addPipeline} form={form} submit={texts.common.add} close={props.close}>
      <PipelineField
        label={texts.fields.pipeline}
        required
        autoFocus
        organization={props.organization}
        error={error}
        onPick={(pipeline) => form.change({ pipeline })}
      />
      <SelectField label={texts.teams.level} {...form.text('level', 'accessLevel')} choices={levels()} />
    </FormDialog>
  );
}
