import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { teamSuites_team$key } from '../../__generated__/teamSuites_team.graphql';
import type { SuiteAccessLevels, teamSuitesAddMutation } from '../../__generated__/teamSuitesAddMutation.graphql';
import type { teamSuitesLevelMutation } from '../../__generated__/teamSuitesLevelMutation.graphql';
import type { teamSuitesMoreQuery } from '../../__generated__/teamSuitesMoreQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';
import { AccessList } from './access-list';
import { SuiteField } from '../fields/suite-field';

const fragment = graphql`
  fragment teamSuites_team on Team
  @refetchable(queryName: "teamSuitesMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    permissions {
      teamSuiteCreate {
        allowed
      }
    }
    suites(first: $count, after: $cursor, order: NAME) @connection(key: "teamSuites_suites") {
      edges {
        node {
          id
          accessLevel
          permissions {
            teamSuiteUpdate {
              allowed
            }
            teamSuiteDelete {
              allowed
            }
          }
          suite {
            name
            slug
          }
        }
      }
    }
  }
`;

const addDocument = graphql`
  mutation teamSuitesAddMutation($input: TeamSuiteCreateInput!) {
    teamSuiteCreate(input: $input) {
      clientMutationId
    }
  }
`;

const levelDocument = graphql`
  mutation teamSuitesLevelMutation($input: TeamSuiteUpdateInput!) {
    teamSuiteUpdate(input: $input) {
      teamSuite {
        id
        accessLevel
      }
    }
  }
`;

const removeDocument = graphql`
  mutation teamSuitesRemoveMutation($input: TeamSuiteDeleteInput!) {
    teamSuiteDelete(input: $input) {
      deletedTeamSuiteID
    }
  }
`;

const levels = () => [
  { value: 'MANAGE_AND_READ', label: texts.teams.levels.manage },
  { value: 'READ_ONLY', label: texts.teams.levels.read },
];

interface Props {
  organization: string;
  team: teamSuites_team$key;
  refetch: () => void;
}

/** Test suites of a team with what its members may do there. */
export function TeamSuites({ organization, team, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<teamSuitesMoreQuery, teamSuites_team$key>(fragment, team);
  const [adding, setAdding] = useState(false);
  const level = useCommand<teamSuitesLevelMutation>(levelDocument);
  const items = nodesOf(data.suites).map((item) => ({
    id: item.id,
    name: item.suite?.name ?? '',
    slug: item.suite?.slug ?? '',
    level: item.accessLevel,
    mayChange: item.permissions.teamSuiteUpdate?.allowed ?? false,
    mayRemove: item.permissions.teamSuiteDelete?.allowed ?? false,
  }));
  return (
    <AccessList
      title={texts.resources.suites}
      empty={texts.teams.noSuites}
      items={items}
      more={more}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ name, slug }) => (
            <Link to="/organizations/$organization/analytics/suites/$suite" params={{ organization, suite: slug }}>
              {name}
            </Link>
          ),
        },
      ]}
      levels={levels()}
      levelTitle={texts.teams.level}
      setLevel={({ id }, next) => void level.run({ input: { id, accessLevel: next as SuiteAccessLevels } })}
      add={data.permissions.teamSuiteCreate?.allowed ? texts.teams.addSuite : null}
      openDialog={() => setAdding(true)}
      removal={removeDocument}
      refetch={refetch}
    >
      {adding && (
        <AddSuite organization={organization} teamId={data.id} close={() => setAdding(false)} done={refetch} />
      )}
    </AccessList>
  );
}

function AddSuite(props: { organization: string; teamId: string; close: () => void; done: () => void }) {
  const form = useForm<{ suite: string; level: string }, teamSuitesAddMutation>(addDocument, {
    key: `team-suite:${props.teamId}`,
    secret: true,
    initial: { suite: '', level: 'MANAGE_AND_READ' },
    variables: ({ suite, level }) => ({
      input: { teamID: props.teamId, suiteID: suite, accessLevel: level as SuiteAccessLevels },
    }),
    done: () => {
      props.close();
      props.done();
    },
  });
  const error = form.list('suite', 'suiteID', 'suiteId');
  return (
    <FormDialog title={texts.teams.addSuite} form={form} submit={texts.common.add} close={props.close}>
      <SuiteField
        label={texts.fields.suite}
        required
        autoFocus
        organization={props.organization}
        error={error}
        onPick={(suite) => form.change({ suite })}
      />
      <SelectField label={texts.teams.level} {...form.text('level', 'accessLevel')} choices={levels()} />
    </FormDialog>
  );
}
