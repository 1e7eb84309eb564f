import { useNavigate } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { newBuildDialogMutation } from '../../__generated__/newBuildDialogMutation.graphql';
import { texts } from '../../texts/texts';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';

const mutation = graphql`
  mutation newBuildDialogMutation($input: BuildCreateInput!) {
    buildCreate(input: $input) {
      build {
        id
        number
      }
    }
  }
`;

interface Values {
  branch: string;
  commit: string;
  message: string;
  env: string;
}

/** Starts a build by hand. */
export function NewBuildDialog(props: {
  pipelineId: string;
  organization: string;
  pipeline: string;
  defaultBranch: string;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const { organization, pipeline } = props;
  const form = useForm<Values, newBuildDialogMutation>(mutation, {
    key: `new-build:${props.pipelineId}`,
    initial: { branch: props.defaultBranch, commit: 'HEAD', message: '', env: '' },
    variables: ({ branch, commit, message, env }) => {
      const lines = env.split('\n').filter((line) => line.trim() !== '');
      return {
        input: {
          pipelineID: props.pipelineId,
          branch,
          commit,
          message: message || null,
          ...(lines.length > 0 ? { env: lines } : {}),
        },
      };
    },
    done: (response) =>
      void navigate({
        to: '/$organization/$pipeline/builds/$number',
        params: { organization, pipeline, number: String(response.buildCreate?.build?.number ?? '') },
      }),
  });
  return (
    <FormDialog title={texts.pipeline.newBuild} form={form} submit={texts.pipeline.start} close={props.onClose}>
      <TextField label={texts.pipeline.message} autoFocus {...form.text('message')} />
      <TextField label={texts.pipeline.branch} required {...form.text('branch')} />
      <TextField label={texts.pipeline.commit} {...form.text('commit')} />
      <TextField
        label={texts.pipeline.environment}
        hint={texts.pipeline.environmentHint}
        lines={3}
        {...form.text('env')}
      />
    </FormDialog>
  );
}
