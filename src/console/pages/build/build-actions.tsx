import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
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

const ConfirmDialog = lazy(async () => ({ default: (await import('../../ui/confirm-dialog')).ConfirmDialog }));

const fragment = graphql`
  fragment buildActions_build on Build {
    id
    number
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

type Action = 'cancel' | 'rebuild' | 'retry';

const unfinished = ['RUNNING', 'SCHEDULED', 'CREATING', 'FAILING', 'BLOCKED', 'CANCELING'];

/**
 * Cancel, rebuild, retry: what the build's state allows. A single key is hit by accident, so what it does is asked
 * first; canceling, which cannot be undone, is asked in any case.
 */
export function BuildActions({ build }: { build: buildActions_build$key }) {
  const { id, number, state, pipeline } = useFragment(fragment, build);
  const [question, setQuestion] = useState<Action | null>(null);
  const navigate = useNavigate();
  const cancelCommand = useCommand<buildActionsCancelMutation>(cancelDocument);
  const rebuildCommand = useCommand<buildActionsRebuildMutation>(rebuildDocument);
  const retryCommand = useCommand<buildActionsRetryMutation>(retryDocument);
  const mayAct = pipeline.permissions.buildCreate.allowed;
  const running = mayAct && unfinished.includes(state);
  const failed = mayAct && ['FAILED', 'FAILING', 'CANCELED'].includes(state);
  const rebuildable = mayAct && !running && pipeline.allowRebuilds === true;

  const cancel = () => cancelCommand.run({ input: { id } });
  const retry = async () => {
    const response = await retryCommand.run({ input: { id } });
    const count = response?.buildRetryFailedJobs?.retriedJobsCount;
    if (count !== undefined) showToast({ text: texts.build.retried(count) });
  };
  const rebuild = async () => {
    const response = await rebuildCommand.run({ input: { id } });
    const rebuilt = response?.buildRebuild?.rebuild.number;
    if (!rebuilt) return;
    void navigate({
      to: '/$organization/$pipeline/builds/$number',
      params: { organization: pipeline.organization.slug, pipeline: pipeline.slug, number: String(rebuilt) },
    });
  };
  const actions: Record<Action, { allowed: boolean; label: string; pending: boolean; run: () => Promise<unknown> }> = {
    cancel: { allowed: running, label: texts.build.cancelBuild, pending: cancelCommand.pending, run: cancel },
    rebuild: { allowed: rebuildable, label: texts.build.rebuild, pending: rebuildCommand.pending, run: rebuild },
    retry: { allowed: failed, label: texts.build.retryFailed, pending: retryCommand.pending, run: retry },
  };
  const shortcut = (keys: string, action: Action) =>
    actions[action].allowed ? [{ keys, text: actions[action].label, run: () => setQuestion(action) }] : [];
  useShortcuts([...shortcut('x', 'cancel'), ...shortcut('r', 'rebuild'), ...shortcut('f', 'retry')]);
  const asking = question && actions[question].allowed ? actions[question] : null;
  const confirm = async () => {
    await asking?.run();
    setQuestion(null);
  };
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
          onClick={() => setQuestion('cancel')}
        >
          <Icon name="stop" />
          {texts.build.cancel}
        </button>
      )}
      {question && asking && (
        <Suspense>
          <ConfirmDialog
            question={texts.build.questions[question](number)}
            note={question === 'cancel' ? texts.build.cancelNote : undefined}
            label={asking.label}
            danger={question === 'cancel'}
            pending={asking.pending}
            confirm={() => void confirm()}
            close={() => setQuestion(null)}
          />
        </Suspense>
      )}
    </>
  );
}
