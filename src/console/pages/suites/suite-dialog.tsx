import { graphql, useFragment } from 'react-relay';
import type { suiteDialog_suite$key } from '../../__generated__/suiteDialog_suite.graphql';
import type { suiteDialogMutation } from '../../__generated__/suiteDialogMutation.graphql';
import { texts } from '../../texts/texts';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment suiteDialog_suite on Suite {
    id
    name
    slug
    defaultBranch
    applicationName
    emoji
    color
  }
`;

const mutation = graphql`
  mutation suiteDialogMutation($input: SuiteUpdateInput!) {
    suiteUpdate(input: $input) {
      suite {
        ...suiteDialog_suite
        slug
      }
    }
  }
`;

interface Values {
  name: string;
  branch: string;
  application: string;
  emoji: string;
  color: string;
}

/** Changes a test suite; `done` gets its slug. */
export function EditSuiteDialog(props: {
  suite: suiteDialog_suite$key;
  close: () => void;
  done: (slug: string) => void;
}) {
  const suite = useFragment(fragment, props.suite);
  const form = useForm<Values, suiteDialogMutation>(mutation, {
    key: `suite:${suite.id}`,
    initial: {
      name: suite.name,
      branch: suite.defaultBranch ?? '',
      application: suite.applicationName ?? '',
      emoji: suite.emoji ?? '',
      color: suite.color ?? '',
    },
    variables: ({ name, branch, application, emoji, color }) => ({
      input: {
        id: suite.id,
        name,
        defaultBranch: branch,
        applicationName: application || null,
        emoji: emoji || null,
        color: color || null,
      },
    }),
    done: ({ suiteUpdate }) => {
      props.close();
      props.done(suiteUpdate?.suite.slug ?? suite.slug);
    },
  });
  return (
    <FormDialog title={texts.suites.edit} form={form} submit={texts.common.save} close={props.close}>
      <TextField label={texts.fields.name} required autoFocus {...form.text('name')} />
      <TextField label={texts.newPipeline.defaultBranch} required {...form.text('branch', 'defaultBranch')} />
      <TextField label={texts.suites.application} {...form.text('application', 'applicationName')} />
      <TextField label={texts.settings.emoji} placeholder=":rocket:" {...form.text('emoji')} />
      <TextField label={texts.settings.color} hint={texts.settings.colorHint} {...form.text('color')} />
    </FormDialog>
  );
}
