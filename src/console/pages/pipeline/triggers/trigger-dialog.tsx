import { graphql } from 'react-relay';
import type { triggerDialogCreateMutation } from '../../../__generated__/triggerDialogCreateMutation.graphql';
import type { triggerDialogUpdateMutation } from '../../../__generated__/triggerDialogUpdateMutation.graphql';
import { texts } from '../../../texts/texts';
import { CheckField, SelectField, TextField } from '../../../ui/field';
import { FormDialog } from '../../../ui/form';
import { type Form, useForm } from '../../../ui/use-form';

const createDocument = graphql`
  mutation triggerDialogCreateMutation($input: PipelineTriggerCreateInput!) {
    pipelineTriggerCreate(input: $input) {
      triggerUrl
    }
  }
`;

const updateDocument = graphql`
  mutation triggerDialogUpdateMutation($input: PipelineTriggerUpdateInput!) {
    pipelineTriggerUpdate(input: $input) {
      clientMutationId
    }
  }
`;

interface Values {
  description: string;
  kind: string;
  branch: string;
  commit: string;
  message: string;
  secret: string;
  enabled: boolean;
}

const inputOf = ({ secret, ...values }: Values) => ({ ...values, ...(secret === '' ? {} : { secret }) });

/** Creates a trigger and passes its address, which is shown only once, to `done`. */
export function NewTriggerDialog(props: {
  pipelineId: string;
  branch: string;
  close: () => void;
  done: (url: string) => void;
}) {
  const form = useForm<Values, triggerDialogCreateMutation>(createDocument, {
    key: `trigger:${props.pipelineId}`,
    secret: true,
    initial: {
      description: '',
      kind: 'generic',
      branch: props.branch,
      commit: 'HEAD',
      message: '',
      secret: '',
      enabled: true,
    },
    variables: (values) => ({ input: { pipelineId: props.pipelineId, ...inputOf(values) } }),
    done: (response) => props.done(response.pipelineTriggerCreate?.triggerUrl ?? ''),
  });
  return (
    <FormDialog title={texts.triggers.new} form={form} submit={texts.common.create} close={props.close}>
      <Fields form={form} />
    </FormDialog>
  );
}

/** Changes a trigger; a secret that is left empty stays. */
export function EditTriggerDialog(props: {
  pipelineId: string;
  id: string;
  values: Values;
  close: () => void;
  done: () => void;
}) {
  const form = useForm<Values, triggerDialogUpdateMutation>(updateDocument, {
    key: `trigger:${props.id}`,
    secret: true,
    initial: props.values,
    variables: (values) => ({ input: { pipelineId: props.pipelineId, id: props.id, ...inputOf(values) } }),
    done: props.done,
  });
  return (
    <FormDialog title={texts.triggers.edit} form={form} submit={texts.common.save} close={props.close}>
      <Fields form={form} />
    </FormDialog>
  );
}

function Fields({ form }: { form: Form<Values> }) {
  return (
    <>
      <TextField label={texts.fields.description} autoFocus {...form.text('description')} />
      <SelectField
        label={texts.triggers.kind}
        {...form.text('kind')}
        choices={Object.entries(texts.triggers.kinds).map(([value, label]) => ({ value, label }))}
      />
      <TextField label={texts.pipeline.branch} {...form.text('branch')} />
      <TextField label={texts.pipeline.commit} {...form.text('commit')} />
      <TextField label={texts.pipeline.message} {...form.text('message')} />
      <TextField
        label={texts.triggers.secret}
        type="password"
        hint={texts.triggers.secretHint}
        {...form.text('secret')}
      />
      <CheckField label={texts.triggers.enabled} {...form.check('enabled')} />
    </>
  );
}
