import { limits } from '../../limits/limits.js';
import type { TestState } from '../results/test-state.js';

/** What a workflow does when a test gets into alarm, or recovers. */
export const actionTypes = ['add_label', 'remove_label', 'change_state', 'webhook', 'slack'] as const;
export type ActionType = (typeof actionTypes)[number];

/** An action with its settings; those that its type does not have are null. */
export interface WorkflowAction {
  type: ActionType;
  label: string | null;
  state: TestState | null;
  url: string | null;
  /** Channel of Slack, as in `notify`. */
  channel: string | null;
  /** Text in place of the usual one: Slack. */
  message: string | null;
}

/** An action as a caller names it. */
export type ActionInput = { type: ActionType } & {
  [Setting in keyof Omit<WorkflowAction, 'type'>]?: WorkflowAction[Setting] | undefined;
};

type Setting = keyof Omit<WorkflowAction, 'type'>;

/** The setting that an action of each type must have. */
const essential: Readonly<Record<ActionType, Setting>> = {
  add_label: 'label',
  remove_label: 'label',
  change_state: 'state',
  webhook: 'url',
  slack: 'channel',
};
const settings: readonly Setting[] = ['label', 'state', 'url', 'channel', 'message'];

/** The action that an input names. */
export function actionOf({ type, ...named }: ActionInput): WorkflowAction {
  const { label = null, state = null, url = null, channel = null, message = null } = named;
  return { type, label, state, url, channel, message: message === '' ? null : message };
}

/** What is wrong with the settings of an action; null if nothing is. */
export function actionProblem(action: WorkflowAction): { field: Setting; code: string } | null {
  const { type } = action;
  const field = essential[type];
  if (action[field] === null) return { field, code: 'missing' };
  const other = settings.find(
    (name) => name !== field && action[name] !== null && !(type === 'slack' && name === 'message'),
  );
  return other === undefined ? null : { field: other, code: `is not for actions of the type ${type}` };
}

/** Labels after the labels of some actions were added or removed, in their order; as many as a test may have. */
export function labelsAfter(labels: readonly string[], actions: readonly WorkflowAction[]): string[] {
  let after = [...labels];
  for (const { type, label } of actions) {
    if (label === null) continue;
    if (type === 'remove_label') after = after.filter((each) => each !== label);
    else if (type === 'add_label' && !after.includes(label) && after.length < limits.testLabels)
      after = [...after, label];
  }
  return after;
}

/** The state that some actions give a test: that of the last that gives one; null if none does. */
export function stateAfter(actions: readonly WorkflowAction[]): TestState | null {
  return actions.findLast(({ type }) => type === 'change_state')?.state ?? null;
}

/** The URL of a webhook for those who may not change the workflow: it may hold a secret. */
export const maskedUrl = (url: string): string => `${new URL(url).origin}/…`;
