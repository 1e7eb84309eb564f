import { graphql } from 'react-relay';
import type { templateDialogMutation } from '../../__generated__/templateDialogMutation.graphql';
import { texts } from '../../texts/texts';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';
import { newTemplate, TemplateFields, type TemplateValues } from './template-fields';

const mutation = graphql`
  mutation templateDialogMutation($input: PipelineTemplateCreateInput!) {
    pipelineTemplateCreate(input: $input) {
      pipelineTemplate {
        uuid
      }
    }
  }
`;

/** Creates a pipeline template and passes its UUID to `done`. */
export function NewTemplateDialog(props: {
  organization: string;
  organizationId: string;
  close: () => void;
  done: (uuid: string) => void;
}) {
  const form = useForm<TemplateValues, templateDialogMutation>(mutation, {
    key: `template:${props.organizationId}`,
    initial: newTemplate,
    variables: (values) => ({ input: { organizationId: props.organizationId, ...values } }),
    done: (response) => props.done(response.pipelineTemplateCreate?.pipelineTemplate.uuid ?? ''),
  });
  return (
    <FormDialog title={texts.templates.new} form={form} submit={texts.common.create} close={props.close} wide>
      <TemplateFields organization={props.organization} form={form} />
    </FormDialog>
  );
}
