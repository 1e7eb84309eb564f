import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { newPipelinePageMutation } from '../../__generated__/newPipelinePageMutation.graphql';
import type { newPipelinePageQuery } from '../../__generated__/newPipelinePageQuery.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { FormError, problemOf, SelectField, TextField } from '../../ui/field';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { useDraft } from '../../ui/use-draft';
import { StepsField } from './steps-field';
import { WebhookSteps } from './webhook-steps';

const route = getRouteApi('/organizations/$organization/pipelines/new');

const document = graphql`
  query newPipelinePageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      pipelineSettings {
        defaultCluster {
          id
        }
      }
      clusters(first: 100) {
        edges {
          node {
            id
            name
          }
        }
      }
      teams(first: 100) {
        nodes {
          id
          name
        }
      }
    }
  }
`;

const mutation = graphql`
  mutation newPipelinePageMutation($input: PipelineCreateInput!) {
    pipelineCreate(input: $input) {
      pipeline {
        id
        slug
        webhookURL
        defaultBranch
      }
    }
  }
`;

const firstSteps = 'steps:\n  - label: ":pipeline: Upload"\n    command: buildkite-agent pipeline upload\n';
const fields = ['name', 'repository', 'repository.url', 'defaultBranch', 'clusterId', 'teams'];

/** Repository, steps, webhook and first build, on one page. */
export function NewPipelinePage() {
  const { organization } = route.useParams();
  const { organization: found } = useLazyLoadQuery<newPipelinePageQuery>(document, { organization });
  const { run, pending, error } = useCommand<newPipelinePageMutation>(mutation, { quiet: true });
  const clusters = found?.clusters?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  const teams = found?.teams?.nodes ?? [];
  const [draft, change, forget] = useDraft(`new-pipeline:${organization}`, {
    name: '',
    repository: '',
    defaultBranch: 'main',
    description: '',
    cluster: found?.pipelineSettings?.defaultCluster?.id ?? clusters[0]?.id ?? '',
    team: '',
    yaml: firstSteps,
  });
  const [created, setCreated] = useState<newPipelinePageMutation['response']['pipelineCreate']>(null);
  if (!found) return <NotFound />;
  const submit = async () => {
    const response = await run({
      input: {
        organizationId: found.id,
        name: draft.name,
        repository: { url: draft.repository },
        defaultBranch: draft.defaultBranch,
        description: draft.description || null,
        clusterId: draft.cluster || null,
        steps: { yaml: draft.yaml },
        ...(draft.team ? { teams: [{ id: draft.team }] } : {}),
      },
    });
    if (!response?.pipelineCreate) return;
    forget();
    setCreated(response.pipelineCreate);
  };
  const crumbs = (
    <Link to="/$organization" params={{ organization }}>
      {texts.pipelines.title}
    </Link>
  );
  if (created) return <WebhookSteps organization={organization} pipeline={created.pipeline} crumbs={crumbs} />;
  return (
    <Page title={texts.newPipeline.title} crumbs={crumbs}>
      <form
        className="form card card-body new-pipeline"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={texts.newPipeline.name}
          required
          autoFocus
          value={draft.name}
          error={problemOf(error, 'name')}
          onChange={(name) => change({ name })}
        />
        <TextField
          label={texts.newPipeline.repository}
          hint={texts.newPipeline.repositoryHint}
          required
          value={draft.repository}
          error={problemOf(error, 'repository') ?? problemOf(error, 'url')}
          onChange={(repository) => change({ repository })}
        />
        <TextField
          label={texts.newPipeline.defaultBranch}
          value={draft.defaultBranch}
          error={problemOf(error, 'defaultBranch')}
          onChange={(defaultBranch) => change({ defaultBranch })}
        />
        <TextField
          label={texts.newPipeline.description}
          value={draft.description}
          onChange={(description) => change({ description })}
        />
        <SelectField
          label={texts.newPipeline.cluster}
          value={draft.cluster}
          error={problemOf(error, 'clusterId')}
          onChange={(cluster) => change({ cluster })}
          choices={clusters.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {teams.length > 0 && (
          <SelectField
            label={texts.newPipeline.team}
            value={draft.team}
            error={problemOf(error, 'teams')}
            onChange={(team) => change({ team })}
            choices={[
              { value: '', label: texts.common.none },
              ...teams.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        <StepsField organization={organization} value={draft.yaml} onChange={(yaml) => change({ yaml })} />
        <FormError error={error} fields={fields} />
        <div>
          <button type="submit" className="button button-primary" disabled={pending}>
            {texts.newPipeline.create}
          </button>
        </div>
      </form>
    </Page>
  );
}
