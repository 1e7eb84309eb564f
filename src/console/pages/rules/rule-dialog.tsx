import { graphql } from 'react-relay';
import type { ruleDialogMutation } from '../../__generated__/ruleDialogMutation.graphql';
import { texts } from '../../texts/texts';
import { SelectField, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';
import { PipelineField } from '../fields/pipeline-field';

const mutation = graphql`
  mutation ruleDialogMutation($input: RuleCreateInput!) {
    ruleCreate(input: $input) {
      rule {
        id
      }
    }
  }
`;

interface Values {
  type: string;
  source: string;
  target: string;
  description: string;
}

/** Creates a rule: what one pipeline may do with another. */
export function NewRuleDialog(props: {
  organization: string;
  organizationId: string;
  close: () => void;
  done: () => void;
}) {
  const form = useForm<Values, ruleDialogMutation>(mutation, {
    key: `rule:${props.organizationId}`,
    secret: true,
    initial: { type: 'pipeline.trigger_build.pipeline', source: '', target: '', description: '' },
    variables: ({ type, source, target, description }) => ({
      input: {
        organizationId: props.organizationId,
        type,
        description: description || null,
        value: JSON.stringify({ source_pipeline: source, target_pipeline: target }),
      },
    }),
    done: () => {
      props.close();
      props.done();
    },
  });
  const { organization } = props;
  return (
    <FormDialog title={texts.rules.new} form={form} submit={texts.common.create} close={props.close}>
      <SelectField
        label={texts.fields.action}
        {...form.text('type')}
        choices={Object.entries(texts.rules.types).map(([value, label]) => ({ value, label }))}
      />
      <PipelineField
        label={texts.fields.source}
        required
        organization={organization}
        error={form.list('source', 'source_pipeline')}
        onPick={(source) => form.change({ source })}
      />
      <PipelineField
        label={texts.fields.target}
        required
        organization={organization}
        error={form.list('target', 'target_pipeline')}
        onPick={(target) => form.change({ target })}
      />
      <TextField label={texts.fields.description} {...form.text('description')} />
    </FormDialog>
  );
}
