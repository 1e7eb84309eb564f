import { useNavigate } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { newBuildDialogMutation } from '../../__generated__/newBuildDialogMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { FormError, problemOf, TextField } from '../../ui/field';
import { useDraft } from '../../ui/use-draft';

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

const fields = ['branch', 'commit', 'message', 'env'];

/** Starts a build by hand. */
export function NewBuildDialog(props: {
  pipelineId: string;
  organization: string;
  pipeline: string;
  defaultBranch: string;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const { run, pending, error } = useCommand<newBuildDialogMutation>(mutation, { quiet: true });
  const [draft, change, forget] = useDraft(`new-build:${props.pipelineId}`, {
    branch: props.defaultBranch,
    commit: 'HEAD',
    message: '',
    env: '',
  });
  const submit = async () => {
    const env = draft.env.split('\n').filter((line) => line.trim() !== '');
    const response = await run({
      input: {
        pipelineID: props.pipelineId,
        branch: draft.branch,
        commit: draft.commit,
        message: draft.message || null,
        ...(env.length > 0 ? { env } : {}),
      },
    });
    const number = response?.buildCreate?.build?.number;
    if (!number) return;
    forget();
    const { organization, pipeline } = props;
    void navigate({
      to: '/$organization/$pipeline/builds/$number',
      params: { organization, pipeline, number: String(number) },
    });
  };
  return (
    <Dialog title={texts.pipeline.newBuild} open onClose={props.onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={texts.pipeline.message}
          autoFocus
          value={draft.message}
          error={problemOf(error, 'message')}
          onChange={(message) => change({ message })}
        />
        <TextField
          label={texts.pipeline.branch}
          required
          value={draft.branch}
          error={problemOf(error, 'branch')}
          onChange={(branch) => change({ branch })}
        />
        <TextField
          label={texts.pipeline.commit}
          value={draft.commit}
          error={problemOf(error, 'commit')}
          onChange={(commit) => change({ commit })}
        />
        <TextField
          label={texts.pipeline.environment}
          hint={texts.pipeline.environmentHint}
          lines={3}
          value={draft.env}
          error={problemOf(error, 'env')}
          onChange={(env) => change({ env })}
        />
        <FormError error={error} fields={fields} />
        <div className="dialog-foot">
          <button type="button" className="button" onClick={props.onClose}>
            {texts.common.cancel}
          </button>
          <button type="submit" className="button button-primary" disabled={pending}>
            {texts.pipeline.start}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
