import { useNavigate } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { buildActions_build$key } from '../../__generated__/buildActions_build.graphql';
import type { buildActionsCancelMutation } from '../../__generated__/buildActionsCancelMutation.graphql';
import type { buildActionsRebuildMutation } from '../../__generated__/buildActionsRebuildMutation.graphql';
import type { buildActionsRetryMutation } from '../../__generated__/buildActionsRetryMutation.graphql';
import { useShortcuts } from '../../layout/shortcuts';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { Icon } from '../../ui/icon';
import { showToast } from '../../ui/toast';

const fragment = graphql`
  fragment buildActions_build on Build {
    id
    state
    pipeline {
      slug
      permissions {
        buildCreate {
          allowed
        }
      }
      allowRebuilds
      organization {
        slug
      }
    }
  }
`;

const cancelDocument = graphql`
  mutation buildActionsCancelMutation($input: BuildCancelInput!) {
    buildCancel(input: $input) {
      build {
        ...buildHeader_build
        ...buildActions_build
      }
    }
  }
`;

const rebuildDocument = graphql`
  mutation buildActionsRebuildMutation($input: BuildRebuildInput!) {
    buildRebuild(input: $input) {
      rebuild {
        id
        number
      }
    }
  }
`;

const retryDocument = graphql`
  mutation buildActionsRetryMutation($input: BuildRetryFailedJobsInput!) {
    buildRetryFailedJobs(input: $input) {
      retriedJobsCount
      build {
        ...buildHeader_build
        ...buildActions_build
      }
    }
  }
`;

const unfinished = ['RUNNING', 'SCHEDULED', 'CREATING', 'FAILING', 'BLOCKED', 'CANCELING'];

/** Cancel, rebuild, retry: what the build's state allows. */
export function BuildActions({ build }: { build: buildActions_build$key }) {
  const { id, state, pipeline } = useFragment(fragment, build);
  const navigate = useNavigate();
  const cancelCommand = useCommand<buildActionsCancelMutation>(cancelDocument);
  const rebuildCommand = useCommand<buildActionsRebuildMutation>(rebuildDocument);
  const retryCommand = useCommand<buildActionsRetryMutation>(retryDocument);
  const mayAct = pipeline.permissions.buildCreate.allowed;
  const running = mayAct && unfinished.includes(state);
  const failed = mayAct && ['FAILED', 'FAILING', 'CANCELED'].includes(state);
  const rebuildable = mayAct && !running && pipeline.allowRebuilds;

  const cancel = () => void cancelCommand.run({ input: { id } });
  const retry = async () => {
    const response = await retryCommand.run({ input: { id } });
    const count = response?.buildRetryFailedJobs?.retriedJobsCount;
    if (count !== undefined) showToast({ text: texts.build.retried(count) });
  };
  const rebuild = async () => {
    const response = await rebuildCommand.run({ input: { id } });
    const number = response?.buildRebuild?.rebuild.number;
    if (!number) return;
    void navigate({
      to: '/$organization/$pipeline/builds/$number',
      params: { organization: pipeline.organization.slug, pipeline: pipeline.slug, number: String(number) },
    });
  };
  useShortcuts([
    ...(running ? [{ keys: 'x', text: texts.build.cancel, run: cancel }] : []),
    ...(rebuildable ? [{ keys: 'r', text: texts.build.rebuild, run: () => void rebuild() }] : []),
    ...(failed ? [{ keys: 'f', text: texts.build.retryFailed, run: () => void retry() }] : []),
  ]);
  return (
    <>
      {failed && (
        <button type="button" className="button" disabled={retryCommand.pending} onClick={() => void retry()}>
          <Icon name="retry" />
          {texts.build.retryFailed}
        </button>
      )}
      {rebuildable && (
        <button type="button" className="button" disabled={rebuildCommand.pending} onClick={() => void rebuild()}>
          <Icon name="play" />
          {texts.build.rebuild}
        </button>
      )}
      {running && (
        <button
          type="button"
          className="button button-danger"
          disabled={cancelCommand.pending || state === 'CANCELING'}
          onClick={cancel}
        >
          <Icon name="stop" />
          {texts.build.cancel}
        </button>
      )}
    </>
  );
}
