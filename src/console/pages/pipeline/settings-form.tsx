import { graphql, useFragment } from 'react-relay';
import type { PipelineVisibility, settingsFormMutation } from '../../__generated__/settingsFormMutation.graphql';
import type { settingsForm_pipeline$key } from '../../__generated__/settingsForm_pipeline.graphql';
import { texts } from '../../texts/texts';
import { CheckField, SelectField, TextField } from '../../ui/field';
import { FormFrame } from '../../ui/form';
import { showToast } from '../../ui/toast';
import { useForm } from '../../ui/use-form';
import { ClusterField } from '../fields/cluster-field';
import { StepsField } from '../fields/steps-field';
import { TemplateField } from '../fields/template-field';

const fragment = graphql`
  fragment settingsForm_pipeline on Pipeline {
    id
    slug
    name
    description
    emoji
    color
    cloneMirrorUrl
    nextBuildNumber
    pipelineTemplate {
      id
    }
    defaultBranch
    branchConfiguration
    skipIntermediateBuilds
    skipIntermediateBuildsBranchFilter
    cancelIntermediateBuilds
    cancelIntermediateBuildsBranchFilter
    allowRebuilds
    defaultTimeoutInMinutes
    maximumTimeoutInMinutes
    visibility
    tags {
      label
    }
    cluster {
      id
    }
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
  }
`;

const mutation = graphql`
  mutation settingsFormMutation($input: PipelineUpdateInput!) {
    pipelineUpdate(input: $input) {
      pipeline {
        ...settingsForm_pipeline
        slug
      }
    }
  }
`;

interface Values {
  name: string;
  slug: string;
  emoji: string;
  color: string;
  mirror: string;
  nextNumber: string;
  template: string;
  description: string;
  repository: string;
  defaultBranch: string;
  branches: string;
  cluster: string;
  tags: string;
  skip: boolean;
  skipBranches: string;
  cancel: boolean;
  cancelBranches: string;
  rebuilds: boolean;
  timeout: string;
  longestTimeout: string;
  visibility: string;
  yaml: string;
}

const minutes = (text: string) => (text.trim() === '' ? null : Number(text));

/** What a pipeline builds, from where, and how. */
export function SettingsForm(props: {
  organization: string;
  pipeline: settingsForm_pipeline$key;
  /** The slug follows the name. */
  renamed: (slug: string) => void;
}) {
  const pipeline = useFragment(fragment, props.pipeline);
  const form = useForm<Values, settingsFormMutation>(mutation, {
    key: `settings:${pipeline.id}`,
    initial: {
      name: pipeline.name,
      slug: pipeline.slug,
      emoji: pipeline.emoji ?? '',
      color: pipeline.color ?? '',
      mirror: pipeline.cloneMirrorUrl ?? '',
      nextNumber: String(pipeline.nextBuildNumber),
      template: pipeline.pipelineTemplate?.id ?? '',
      description: pipeline.description ?? '',
      repository: pipeline.repository?.url ?? '',
      defaultBranch: pipeline.defaultBranch ?? '',
      branches: pipeline.branchConfiguration ?? '',
      cluster: pipeline.cluster?.id ?? '',
      tags: pipeline.tags.map(({ label }) => label).join(', '),
      skip: pipeline.skipIntermediateBuilds,
      skipBranches: pipeline.skipIntermediateBuildsBranchFilter ?? '',
      cancel: pipeline.cancelIntermediateBuilds,
      cancelBranches: pipeline.cancelIntermediateBuildsBranchFilter ?? '',
      rebuilds: pipeline.allowRebuilds ?? true,
      timeout: String(pipeline.defaultTimeoutInMinutes || ''),
      longestTimeout: String(pipeline.maximumTimeoutInMinutes || ''),
      visibility: pipeline.visibility,
      yaml: pipeline.steps?.yaml ?? '',
    },
    variables: (values) => ({
      input: {
        id: pipeline.id,
        // A name that stays leaves the address as it is.
        ...(values.name === pipeline.name ? {} : { name: values.name }),
        ...(values.slug === pipeline.slug ? {} : { slug: values.slug }),
        description: values.description,
        emoji: values.emoji || null,
        color: values.color || null,
        cloneMirrorUrl: values.mirror || null,
        ...(Number(values.nextNumber) === pipeline.nextBuildNumber
          ? {}
          : { nextBuildNumber: Number(values.nextNumber) }),
        ...(values.template === (pipeline.pipelineTemplate?.id ?? '')
          ? {}
          : { pipelineTemplateId: values.template || null }),
        repository: { url: values.repository },
        defaultBranch: values.defaultBranch,
        branchConfiguration: values.branches || null,
        clusterId: values.cluster || null,
        tags: values.tags
          .split(',')
          .map((label) => label.trim())
          .filter(Boolean)
          .map((label) => ({ label })),
        skipIntermediateBuilds: values.skip,
        skipIntermediateBuildsBranchFilter: values.skipBranches || null,
        cancelIntermediateBuilds: values.cancel,
        cancelIntermediateBuildsBranchFilter: values.cancelBranches || null,
        allowRebuilds: values.rebuilds,
        defaultTimeoutInMinutes: minutes(values.timeout),
        maximumTimeoutInMinutes: minutes(values.longestTimeout),
        visibility: values.visibility as PipelineVisibility,
        steps: { yaml: values.yaml },
      },
    }),
    done: ({ pipelineUpdate }) => {
      showToast({ text: texts.common.saved });
      const slug = pipelineUpdate?.pipeline.slug;
      if (slug && slug !== pipeline.slug) props.renamed(slug);
    },
  });
  const { settings, newPipeline } = texts;
  return (
    <FormFrame form={form} submit={texts.common.save} disabled={!pipeline.permissions.pipelineUpdate.allowed}>
      <TextField label={newPipeline.name} required {...form.text('name')} />
      <TextField label={newPipeline.description} {...form.text('description')} />
      <TextField label={settings.slug} hint={settings.slugHint} required {...form.text('slug')} />
      <TextField label={newPipeline.repository} required {...form.text('repository', 'url')} />
      <StepsField
        organization={props.organization}
        value={form.values.yaml}
        error={form.list('yaml', 'steps', 'configuration')}
        onChange={(yaml) => form.change({ yaml })}
      />
      <TemplateField organization={props.organization} {...form.text('template', 'pipelineTemplateId')} />
      <TextField label={newPipeline.defaultBranch} {...form.text('defaultBranch')} />
      <TextField
        label={settings.branches}
        hint={settings.branchesHint}
        {...form.text('branches', 'branchConfiguration')}
      />
      <ClusterField organization={props.organization} {...form.text('cluster', 'clusterId')} />
      <TextField label={settings.tags} hint={settings.tagsHint} {...form.text('tags')} />
      <CheckField label={settings.skip} {...form.check('skip')} />
      {form.values.skip && (
        <TextField
          label={settings.skipBranches}
          hint={settings.branchesHint}
          {...form.text('skipBranches', 'skipIntermediateBuildsBranchFilter')}
        />
      )}
      <CheckField label={settings.cancel} {...form.check('cancel')} />
      {form.values.cancel && (
        <TextField
          label={settings.cancelBranches}
          hint={settings.branchesHint}
          {...form.text('cancelBranches', 'cancelIntermediateBuildsBranchFilter')}
        />
      )}
      <CheckField label={settings.rebuilds} {...form.check('rebuilds')} />
      <TextField label={settings.timeout} type="number" {...form.text('timeout', 'defaultTimeoutInMinutes')} />
      <TextField
        label={settings.longestTimeout}
        type="number"
        {...form.text('longestTimeout', 'maximumTimeoutInMinutes')}
      />
      <TextField label={settings.mirror} {...form.text('mirror', 'cloneMirrorUrl')} />
      <TextField
        label={settings.nextNumber}
        hint={settings.nextNumberHint}
        type="number"
        {...form.text('nextNumber', 'nextBuildNumber')}
      />
      <TextField label={settings.emoji} placeholder=":rocket:" {...form.text('emoji')} />
      <TextField label={settings.color} hint={settings.colorHint} {...form.text('color')} />
      <SelectField
        label={settings.visibility}
        {...form.text('visibility')}
        choices={[
          { value: 'PRIVATE', label: settings.visibilities.PRIVATE },
          { value: 'PUBLIC', label: settings.visibilities.PUBLIC },
        ]}
      />
    </FormFrame>
  );
}
