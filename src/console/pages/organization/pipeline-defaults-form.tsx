import { graphql, useFragment } from 'react-relay';
import type { pipelineDefaultsForm_organization$key } from '../../__generated__/pipelineDefaultsForm_organization.graphql';
import type { pipelineDefaultsFormMutation } from '../../__generated__/pipelineDefaultsFormMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';
import { FormFrame } from '../../ui/form';
import { showToast } from '../../ui/toast';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment pipelineDefaultsForm_organization on Organization {
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
  }
`;

const mutation = graphql`
  mutation pipelineDefaultsFormMutation($input: OrganizationPipelineSettingsUpdateInput!) {
    organizationPipelineSettingsUpdate(input: $input) {
      organization {
        ...pipelineDefaultsForm_organization
      }
    }
  }
`;

/** What new pipelines have unless they say otherwise. */
export function PipelineDefaultsForm({ organization }: { organization: pipelineDefaultsForm_organization$key }) {
  const { id, pipelineSettings, clusters } = useFragment(fragment, organization);
  const form = useForm<{ cluster: string }, pipelineDefaultsFormMutation>(mutation, {
    key: `pipeline-defaults:${id}`,
    initial: { cluster: pipelineSettings?.defaultCluster?.id ?? '' },
    variables: ({ cluster }) => ({ input: { organizationId: id, defaultClusterId: cluster || null } }),
    done: () => showToast({ text: texts.common.saved }),
  });
  return (
    <FormFrame form={form} submit={texts.common.save}>
      <h2>{texts.pipelines.title}</h2>
      <SelectField
        label={texts.resources.defaultCluster}
        {...form.text('cluster', 'defaultClusterId')}
        choices={[
          { value: '', label: texts.common.none },
          ...nodesOf(clusters).map((each) => ({ value: each.id, label: each.name })),
        ]}
      />
    </FormFrame>
  );
}
