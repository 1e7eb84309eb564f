import { graphql, useFragment } from 'react-relay';
import type { workflowDialog_workflow$key } from '../../../__generated__/workflowDialog_workflow.graphql';
import type { workflowDialogCreateMutation } from '../../../__generated__/workflowDialogCreateMutation.graphql';
import type { workflowDialogUpdateMutation } from '../../../__generated__/workflowDialogUpdateMutation.graphql';
import { texts } from '../../../texts/texts';
import { FormDialog } from '../../../ui/form';
import { useForm } from '../../../ui/use-form';
import { WorkflowFields } from './workflow-fields';
import { actionValues, newWorkflow, workflowInput, type WorkflowValues } from './workflow-values';

const fragment = graphql`
  fragment workflowDialog_workflow on TestWorkflow {
    id
    name
    enabled
    monitor {
      type
      branch
      window
      alarm
      recover
    }
    tagFilters
    alarmActions {
      type
      label
      state
      url
      channel
      message
    }
    recoverActions {
      type
      label
      state
      url
      channel
      message
    }
  }
`;

const createDocument = graphql`
  mutation workflowDialogCreateMutation($input: SuiteWorkflowCreateInput!) {
    suiteWorkflowCreate(input: $input) {
      workflow {
        uuid
      }
    }
  }
`;

const updateDocument = graphql`
  mutation workflowDialogUpdateMutation($input: SuiteWorkflowUpdateInput!) {
    suiteWorkflowUpdate(input: $input) {
      workflow {
        ...workflowDialog_workflow
      }
    }
  }
`;

/** Creates a workflow of a test suite. */
export function NewWorkflowDialog(props: { suite: string; close: () => void; done: () => void }) {
  const form = useForm<WorkflowValues, workflowDialogCreateMutation>(createDocument, {
    key: `workflow:${props.suite}`,
    initial: newWorkflow,
    variables: (values) => ({ input: { id: props.suite, ...workflowInput(values) } }),
    done: () => {
      props.close();
      props.done();
    },
  });
  return (
    <FormDialog title={texts.workflows.new} form={form} submit={texts.common.create} close={props.close}>
      <WorkflowFields form={form} />
    </FormDialog>
  );
}

/** Changes a workflow. */
export function EditWorkflowDialog(props: { workflow: workflowDialog_workflow$key; close: () => void }) {
  const { id, name, enabled, monitor, tagFilters, alarmActions, recoverActions } = useFragment(
    fragment,
    props.workflow,
  );
  const form = useForm<WorkflowValues, workflowDialogUpdateMutation>(updateDocument, {
    key: `workflow:${id}`,
    initial: {
      name,
      enabled,
      type: monitor.type,
      branch: monitor.branch ?? '',
      window: monitor.window == null ? '' : String(monitor.window),
      alarm: monitor.alarm == null ? '' : String(monitor.alarm),
      recover: monitor.recover == null ? '' : String(monitor.recover),
      tagFilters: tagFilters.join('\n'),
      alarmActions: alarmActions.map(actionValues),
      recoverActions: recoverActions.map(actionValues),
    },
    variables: (values) => ({ input: { id, ...workflowInput(values) } }),
    done: props.close,
  });
  return (
    <FormDialog title={texts.workflows.edit} form={form} submit={texts.common.save} close={props.close}>
      <WorkflowFields form={form} />
    </FormDialog>
  );
}
