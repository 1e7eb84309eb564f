import type {
  SuiteTestStates,
  SuiteWorkflowCreateInput,
  TestMonitorTypes,
  TestWorkflowActionTypes,
} from '../../../__generated__/workflowDialogCreateMutation.graphql';

/** An action as it is typed. */
export interface ActionValues {
  type: string;
  /** Label, state, URL or channel. */
  value: string;
  message: string;
}

/** A workflow as it is typed. */
export interface WorkflowValues {
  name: string;
  enabled: boolean;
  type: string;
  branch: string;
  window: string;
  alarm: string;
  recover: string;
  /** A filter a line. */
  tagFilters: string;
  alarmActions: ActionValues[];
  recoverActions: ActionValues[];
}

export const newAction: ActionValues = { type: 'ADD_LABEL', value: '', message: '' };

export const newWorkflow: WorkflowValues = {
  name: '',
  enabled: true,
  type: 'PASSED_ON_RETRY',
  branch: '',
  window: '',
  alarm: '',
  recover: '',
  tagFilters: '',
  alarmActions: [],
  recoverActions: [],
};

/** Whether a monitor measures something, and so has a window and thresholds. */
export const isMeasuring = (type: string): boolean => type === 'DURATION' || type === 'TRANSITION_COUNT';

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** The input of the operations. */
export function workflowInput(values: WorkflowValues): Omit<SuiteWorkflowCreateInput, 'id'> {
  const type = values.type as TestMonitorTypes;
  return {
    name: values.name,
    enabled: values.enabled,
    monitor: isMeasuring(type)
      ? {
          type,
          branch: values.branch || null,
          window: numberOf(values.window),
          alarm: numberOf(values.alarm),
          recover: numberOf(values.recover),
        }
      : { type },
    tagFilters: values.tagFilters
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    alarmActions: values.alarmActions.map(actionInput),
    recoverActions: type === 'NEW_TEST' ? [] : values.recoverActions.map(actionInput),
  };
}

/** The field of an action, as the operations name it, in which its value is. */
export function valueField(type: string): 'label' | 'state' | 'url' | 'channel' {
  if (type === 'CHANGE_STATE') return 'state';
  if (type === 'WEBHOOK') return 'url';
  return type === 'SLACK' ? 'channel' : 'label';
}

function actionInput({ type: name, value, message }: ActionValues) {
  const type = name as TestWorkflowActionTypes;
  const field = valueField(type);
  if (field === 'state') return { type, state: (value || 'MUTED') as SuiteTestStates };
  return field === 'channel' ? { type, channel: value, message: message || null } : { type, [field]: value };
}

interface StoredAction {
  readonly type: string;
  readonly label: string | null | undefined;
  readonly state: string | null | undefined;
  readonly url: string | null | undefined;
  readonly channel: string | null | undefined;
  readonly message: string | null | undefined;
}

/** An action that is there, as it would be typed. */
export const actionValues = ({ type, label, state, url, channel, message }: StoredAction): ActionValues => ({
  type,
  value: label ?? state ?? url ?? channel ?? '',
  message: message ?? '',
});
