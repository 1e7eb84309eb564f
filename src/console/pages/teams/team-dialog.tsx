import { graphql } from 'react-relay';
import type {
  teamDialogCreateMutation,
  TeamMemberRole,
  TeamPrivacy,
} from '../../__generated__/teamDialogCreateMutation.graphql';
import type { teamDialogUpdateMutation } from '../../__generated__/teamDialogUpdateMutation.graphql';
import { texts } from '../../texts/texts';
import { CheckField, SelectField, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { type Form, useForm } from '../../ui/use-form';

const createDocument = graphql`
  mutation teamDialogCreateMutation($input: TeamCreateInput!) {
    teamCreate(input: $input) {
      teamEdge {
        node {
          id
          slug
        }
      }
    }
  }
`;

const updateDocument = graphql`
  mutation teamDialogUpdateMutation($input: TeamUpdateInput!) {
    teamUpdate(input: $input) {
      team {
        id
        slug
        name
        description
        privacy
        isDefaultTeam
        defaultMemberRole
        membersCanCreatePipelines
        membersCanCreateSuites
      }
    }
  }
`;

/** What can be said of a team. */
export interface TeamValues {
  name: string;
  description: string;
  privacy: string;
  isDefaultTeam: boolean;
  defaultMemberRole: string;
  membersCanCreatePipelines: boolean;
  membersCanCreateSuites: boolean;
}

const newTeam: TeamValues = {
  name: '',
  description: '',
  privacy: 'VISIBLE',
  isDefaultTeam: false,
  defaultMemberRole: 'MEMBER',
  membersCanCreatePipelines: false,
  membersCanCreateSuites: false,
};

const inputOf = (values: TeamValues) => ({
  ...values,
  privacy: values.privacy as TeamPrivacy,
  defaultMemberRole: values.defaultMemberRole as TeamMemberRole,
});

/** Creates a team and passes its slug to `done`. */
export function NewTeamDialog(props: { organizationId: string; close: () => void; done: (slug: string) => void }) {
  const form = useForm<TeamValues, teamDialogCreateMutation>(createDocument, {
    key: `team:${props.organizationId}`,
    initial: newTeam,
    variables: (values) => ({ input: { organizationID: props.organizationId, ...inputOf(values) } }),
    done: (response) => {
      props.close();
      props.done(response.teamCreate?.teamEdge.node?.slug ?? '');
    },
  });
  return (
    <FormDialog title={texts.teams.new} form={form} submit={texts.common.create} close={props.close}>
      <Fields form={form} />
    </FormDialog>
  );
}

/** Changes a team and passes its slug, which follows its name, to `done`. */
export function EditTeamDialog(props: {
  id: string;
  values: TeamValues;
  close: () => void;
  done: (slug: string) => void;
}) {
  const form = useForm<TeamValues, teamDialogUpdateMutation>(updateDocument, {
    key: `team:${props.id}`,
    initial: props.values,
    variables: (values) => ({ input: { id: props.id, ...inputOf(values) } }),
    done: (response) => {
      props.close();
      props.done(response.teamUpdate?.team.slug ?? '');
    },
  });
  return (
    <FormDialog title={texts.teams.edit} form={form} submit={texts.common.save} close={props.close}>
      <Fields form={form} />
    </FormDialog>
  );
}

function Fields({ form }: { form: Form<TeamValues> }) {
  return (
    <>
      <TextField label={texts.fields.name} required autoFocus {...form.text('name')} />
      <TextField label={texts.fields.description} {...form.text('description')} />
      <SelectField
        label={texts.fields.privacy}
        {...form.text('privacy')}
        choices={[
          { value: 'VISIBLE', label: texts.teams.visible },
          { value: 'SECRET', label: texts.teams.secret },
        ]}
      />
      <SelectField
        label={texts.teams.defaultRole}
        {...form.text('defaultMemberRole')}
        choices={[
          { value: 'MEMBER', label: texts.teams.member },
          { value: 'MAINTAINER', label: texts.teams.maintainer },
        ]}
      />
      <CheckField label={texts.teams.isDefault} {...form.check('isDefaultTeam')} />
      <CheckField label={texts.teams.createPipelines} {...form.check('membersCanCreatePipelines')} />
      <CheckField label={texts.teams.createSuites} {...form.check('membersCanCreateSuites')} />
    </>
  );
}
