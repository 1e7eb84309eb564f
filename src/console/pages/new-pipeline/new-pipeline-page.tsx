import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { newPipelinePageMutation } from '../../__generated__/newPipelinePageMutation.graphql';
import type { newPipelinePageQuery } from '../../__generated__/newPipelinePageQuery.graphql';
import { texts } from '../../texts/texts';
import { SelectField, TextField } from '../../ui/field';
import { FormFrame } from '../../ui/form';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { useForm } from '../../ui/use-form';
import { StepsField } from '../fields/steps-field';
import { exampleOf, examples } from './examples';
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

interface Values {
  name: string;
  repository: string;
  defaultBranch: string;
  description: string;
  cluster: string;
  team: string;
  yaml: string;
}

/** Repository, steps, webhook and first build, on one page. */
export function NewPipelinePage() {
  const { organization } = route.useParams();
  const { organization: own } = useLazyLoadQuery<newPipelinePageQuery>(document, { organization });
  const clusters = own?.clusters?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  const teams = own?.teams?.nodes ?? [];
  const [created, setCreated] = useState<newPipelinePageMutation['response']['pipelineCreate']>(null);
  const form = useForm<Values, newPipelinePageMutation>(mutation, {
    key: `new-pipeline:${organization}`,
    initial: {
      name: '',
      repository: '',
      defaultBranch: 'main',
      description: '',
      cluster: own?.pipelineSettings?.defaultCluster?.id ?? (clusters.length === 1 ? clusters[0]?.id : '') ?? '',
      team: '',
      yaml: examples[0]?.yaml ?? '',
    },
    variables: (values) => ({
      input: {
        organizationId: own?.id ?? '',
        name: values.name,
        repository: { url: values.repository },
        defaultBranch: values.defaultBranch,
        description: values.description || null,
        clusterId: values.cluster || null,
        steps: { yaml: values.yaml },
        ...(values.team ? { teams: [{ id: values.team }] } : {}),
      },
    }),
    done: (response) => setCreated(response.pipelineCreate),
  });
  if (!own) return <NotFound />;
  const crumbs = (
    <Link to="/$organization" params={{ organization }}>
      {texts.pipelines.title}
    </Link>
  );
  if (created) return <WebhookSteps organization={organization} pipeline={created.pipeline} crumbs={crumbs} />;
  const { newPipeline } = texts;
  return (
    <Page title={newPipeline.title} crumbs={crumbs}>
      <FormFrame form={form} submit={newPipeline.create}>
        <TextField label={newPipeline.name} required autoFocus {...form.text('name')} />
        <TextField
          label={newPipeline.repository}
          hint={newPipeline.repositoryHint}
          required
          {...form.text('repository', 'url')}
        />
        <TextField label={newPipeline.defaultBranch} {...form.text('defaultBranch')} />
        <TextField label={newPipeline.description} {...form.text('description')} />
        <SelectField
          label={newPipeline.cluster}
          {...form.text('cluster', 'clusterId')}
          choices={[
            ...(form.values.cluster ? [] : [{ value: '', label: texts.newPipeline.chooseCluster }]),
            ...clusters.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {teams.length > 0 && (
          <SelectField
            label={newPipeline.team}
            {...form.text('team', 'teams')}
            choices={[
              { value: '', label: texts.common.none },
              ...teams.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        <ExampleField yaml={form.values.yaml} onChange={(yaml) => form.change({ yaml })} />
        <StepsField
          organization={organization}
          value={form.values.yaml}
          error={form.list('yaml', 'steps', 'configuration')}
          onChange={(yaml) => form.change({ yaml })}
        />
      </FormFrame>
    </Page>
  );
}

/** Steps to begin with; what somebody has written is not replaced. */
function ExampleField({ yaml, onChange }: { yaml: string; onChange: (yaml: string) => void }) {
  const chosen = exampleOf(yaml);
  const { newPipeline } = texts;
  const own = { value: '', label: newPipeline.ownSteps };
  return (
    <SelectField
      label={newPipeline.example}
      hint={newPipeline.exampleHint}
      value={chosen?.name ?? ''}
      onChange={(name) => onChange(examples.find((example) => example.name === name)?.yaml ?? yaml)}
      choices={
        chosen || yaml.trim() === ''
          ? [...(chosen ? [] : [own]), ...examples.map(({ name }) => ({ value: name, label: name }))]
          : [own]
      }
    />
  );
}
