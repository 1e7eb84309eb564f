import { graphql } from 'react-relay';
import type { scheduleDialogCreateMutation } from '../../../__generated__/scheduleDialogCreateMutation.graphql';
import type { scheduleDialogUpdateMutation } from '../../../__generated__/scheduleDialogUpdateMutation.graphql';
import { texts } from '../../../texts/texts';
import { CheckField, TextField } from '../../../ui/field';
import { FormDialog } from '../../../ui/form';
import { type Form, useForm } from '../../../ui/use-form';
import { NextTimes } from './next-times';

const createDocument = graphql`
  mutation scheduleDialogCreateMutation($input: PipelineScheduleCreateInput!) {
    pipelineScheduleCreate(input: $input) {
      clientMutationId
    }
  }
`;

const updateDocument = graphql`
  mutation scheduleDialogUpdateMutation($input: PipelineScheduleUpdateInput!) {
    pipelineScheduleUpdate(input: $input) {
      pipelineSchedule {
        id
        label
        cronline
        branch
        commit
        message
        env
        enabled
        nextBuildAt
        failedMessage
      }
    }
  }
`;

/** What can be said of a schedule. */
export interface ScheduleValues {
  label: string;
  cronline: string;
  branch: string;
  commit: string;
  message: string;
  env: string;
  enabled: boolean;
}

interface Shared {
  organization: string;
  close: () => void;
  done: () => void;
}

/** Creates a schedule of a pipeline. */
export function NewScheduleDialog(props: Shared & { pipelineId: string; branch: string }) {
  const form = useForm<ScheduleValues, scheduleDialogCreateMutation>(createDocument, {
    key: `schedule:${props.pipelineId}`,
    initial: {
      label: '',
      cronline: '0 4 * * *',
      branch: props.branch,
      commit: 'HEAD',
      message: '',
      env: '',
      enabled: true,
    },
    variables: (values) => ({ input: { pipelineID: props.pipelineId, ...values } }),
    done: () => {
      props.close();
      props.done();
    },
  });
  return (
    <FormDialog title={texts.schedules.new} form={form} submit={texts.common.create} close={props.close}>
      <Fields organization={props.organization} form={form} />
    </FormDialog>
  );
}

/** Changes a schedule. */
export function EditScheduleDialog(props: Shared & { id: string; values: ScheduleValues }) {
  const form = useForm<ScheduleValues, scheduleDialogUpdateMutation>(updateDocument, {
    key: `schedule:${props.id}`,
    initial: props.values,
    variables: (values) => ({ input: { id: props.id, ...values } }),
    done: () => {
      props.close();
      props.done();
    },
  });
  return (
    <FormDialog title={texts.schedules.edit} form={form} submit={texts.common.save} close={props.close}>
      <Fields organization={props.organization} form={form} />
    </FormDialog>
  );
}

function Fields({ organization, form }: { organization: string; form: Form<ScheduleValues> }) {
  return (
    <>
      <TextField label={texts.fields.name} autoFocus {...form.text('label')} />
      <TextField label={texts.settings.cron} hint={texts.schedules.cronHint} required {...form.text('cronline')} />
      <NextTimes
        organization={organization}
        cronline={form.values.cronline}
        refused={form.list('cronline') !== undefined}
      />
      <TextField label={texts.pipeline.branch} {...form.text('branch')} />
      <TextField label={texts.pipeline.commit} {...form.text('commit')} />
      <TextField label={texts.pipeline.message} {...form.text('message')} />
      <TextField
        label={texts.pipeline.environment}
        hint={texts.pipeline.environmentHint}
        lines={2}
        {...form.text('env')}
      />
      <CheckField label={texts.schedules.enabled} {...form.check('enabled')} />
    </>
  );
}
