import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { pipelineSettingsPageMutation } from '../../__generated__/pipelineSettingsPageMutation.graphql';
import type { pipelineSettingsPageQuery } from '../../__generated__/pipelineSettingsPageQuery.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { CopyLine } from '../../ui/copy-button';
import { CheckField, FormError, problemOf, TextField } from '../../ui/field';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { useDraft } from '../../ui/use-draft';
import { StepsField } from '../new-pipeline/steps-field';
import { ArchiveButton } from './archive-button';

const route = getRouteApi('/$organization/$pipeline/settings');

const document = graphql`
  query pipelineSettingsPageQuery($slug: ID!) {
    pipeline(slug: $slug) {
      id
      name
      description
      defaultBranch
      branchConfiguration
      skipIntermediateBuilds
      cancelIntermediateBuilds
      webhookURL
      badgeURL
      repository {
        url
      }
      steps {
        yaml
      }
      permissions {
        pipelineUpdate {
          allowed
        }
      }
      ...archiveButton_pipeline
      schedules(first: 50) {
        edges {
          node {
            id
            label
            cronline
            branch
            enabled
            nextBuildAt
            failedMessage
          }
        }
      }
      webhookDeliveries(first: 20) {
        edges {
          node {
            uuid
            event
            provider
            outcome
            reason
            createdAt
          }
        }
      }
    }
  }
`;

const mutation = graphql`
  mutation pipelineSettingsPageMutation($input: PipelineUpdateInput!) {
    pipelineUpdate(input: $input) {
      pipeline {
        id
        name
        description
        defaultBranch
        branchConfiguration
        skipIntermediateBuilds
        cancelIntermediateBuilds
        repository {
          url
        }
        steps {
          yaml
        }
      }
    }
  }
`;

type Settings = NonNullable<pipelineSettingsPageQuery['response']['pipeline']>;

/** Settings of a pipeline, its schedules and what its provider sent. */
export function PipelineSettingsPage() {
  const { organization, pipeline: slug } = route.useParams();
  const { pipeline } = useLazyLoadQuery<pipelineSettingsPageQuery>(
    document,
    { slug: `${organization}/${slug}` },
    { fetchPolicy: 'store-and-network' },
  );
  if (!pipeline) return <NotFound />;
  const nodes = <T,>(
    edges: readonly ({ readonly node?: T | null | undefined } | null | undefined)[] | null | undefined,
  ) => edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page
      title={texts.settings.of(pipeline.name)}
      crumbs={
        <Link to="/$organization/$pipeline" params={{ organization, pipeline: slug }}>
          {pipeline.name}
        </Link>
      }
      actions={<ArchiveButton pipeline={pipeline} />}
    >
      <SettingsForm organization={organization} pipeline={pipeline} />
      {pipeline.webhookURL && (
        <section className="stack stack-s">
          <h2>{texts.settings.webhook}</h2>
          <CopyLine text={pipeline.webhookURL} />
        </section>
      )}
      <section className="stack stack-s">
        <h2>{texts.pipeline.schedules}</h2>
        <Table
          label={texts.pipeline.schedules}
          items={nodes(pipeline.schedules?.edges)}
          keyOf={({ id }) => id}
          empty={texts.settings.noSchedules}
          columns={[
            { title: texts.fields.name, cell: ({ label }) => label },
            { title: texts.settings.cron, cell: ({ cronline }) => <code>{cronline}</code> },
            { title: texts.pipeline.branch, cell: ({ branch }) => branch },
            { title: texts.settings.next, cell: ({ nextBuildAt }) => <RelativeTime at={nextBuildAt} /> },
            { title: texts.settings.problem, cell: ({ failedMessage }) => failedMessage },
          ]}
        />
      </section>
      <section className="stack stack-s">
        <h2>{texts.pipeline.deliveries}</h2>
        <Table
          label={texts.pipeline.deliveries}
          items={nodes(pipeline.webhookDeliveries.edges)}
          keyOf={({ uuid }) => uuid}
          empty={texts.settings.noDeliveries}
          columns={[
            { title: texts.build.when, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
            { title: texts.build.event, cell: ({ event, provider }) => `${provider} ${event}` },
            { title: texts.settings.outcome, cell: ({ outcome }) => outcome },
            { title: texts.build.reason, cell: ({ reason }) => reason },
          ]}
        />
      </section>
    </Page>
  );
}

function SettingsForm({ organization, pipeline }: { organization: string; pipeline: Settings }) {
  const { run, pending, error } = useCommand<pipelineSettingsPageMutation>(mutation, { quiet: true });
  const [draft, change, forget] = useDraft(`settings:${pipeline.id}`, {
    name: pipeline.name,
    description: pipeline.description ?? '',
    repository: pipeline.repository?.url ?? '',
    defaultBranch: pipeline.defaultBranch ?? '',
    branches: pipeline.branchConfiguration ?? '',
    skip: pipeline.skipIntermediateBuilds,
    cancel: pipeline.cancelIntermediateBuilds,
    yaml: pipeline.steps?.yaml ?? '',
  });
  const submit = async () => {
    const response = await run({
      input: {
        id: pipeline.id,
        name: draft.name,
        description: draft.description,
        repository: { url: draft.repository },
        defaultBranch: draft.defaultBranch,
        branchConfiguration: draft.branches || null,
        skipIntermediateBuilds: draft.skip,
        cancelIntermediateBuilds: draft.cancel,
        steps: { yaml: draft.yaml },
      },
    });
    if (!response) return;
    forget();
    showToast({ text: texts.common.saved });
  };
  return (
    <form
      className="form card card-body"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={texts.newPipeline.name}
        required
        value={draft.name}
        error={problemOf(error, 'name')}
        onChange={(name) => change({ name })}
      />
      <TextField
        label={texts.newPipeline.description}
        value={draft.description}
        onChange={(description) => change({ description })}
      />
      <TextField
        label={texts.newPipeline.repository}
        required
        value={draft.repository}
        error={problemOf(error, 'repository') ?? problemOf(error, 'url')}
        onChange={(repository) => change({ repository })}
      />
      <TextField
        label={texts.newPipeline.defaultBranch}
        value={draft.defaultBranch}
        onChange={(defaultBranch) => change({ defaultBranch })}
      />
      <TextField
        label={texts.settings.branches}
        hint={texts.settings.branchesHint}
        value={draft.branches}
        onChange={(branches) => change({ branches })}
      />
      <CheckField label={texts.settings.skip} checked={draft.skip} onChange={(skip) => change({ skip })} />
      <CheckField label={texts.settings.cancel} checked={draft.cancel} onChange={(cancel) => change({ cancel })} />
      <StepsField organization={organization} value={draft.yaml} onChange={(yaml) => change({ yaml })} />
      <FormError error={error} fields={['name', 'repository', 'url']} />
      <div>
        <button
          type="submit"
          className="button button-primary"
          disabled={pending || !pipeline.permissions.pipelineUpdate.allowed}
        >
          {texts.common.save}
        </button>
      </div>
    </form>
  );
}
