import { texts } from '../../../texts/texts';
import { CheckField, SelectField, TextField } from '../../../ui/field';
import type { Form } from '../../../ui/use-form';
import { type ActionValues, isMeasuring, newAction, type WorkflowValues } from './workflow-values';

const { workflows } = texts;
const choicesOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** Fields of a workflow, new or not. */
export function WorkflowFields({ form }: { form: Form<WorkflowValues> }) {
  const { type } = form.values;
  return (
    <>
      <TextField label={texts.fields.name} required autoFocus {...form.text('name')} />
      <SelectField
        label={workflows.monitor}
        {...form.text('type', 'monitor', 'monitor.type')}
        choices={choicesOf(workflows.monitors)}
      />
      {isMeasuring(type) && (
        <>
          <TextField
            label={workflows.branch}
            hint={workflows.branchHint}
            required={type === 'TRANSITION_COUNT'}
            {...form.text('branch', 'monitor.branch')}
          />
          <TextField
            label={workflows.window}
            type="number"
            placeholder={type === 'DURATION' ? '5' : undefined}
            {...form.text('window', 'monitor.window')}
          />
          <TextField
            label={workflows.alarm}
            hint={workflows.thresholdHints[type]}
            {...form.text('alarm', 'monitor.alarm')}
          />
          <TextField label={workflows.recover} {...form.text('recover', 'monitor.recover')} />
        </>
      )}
      <TextField label={workflows.tagFilters} hint={workflows.tagFiltersHint} lines={2} {...form.text('tagFilters')} />
      <Actions
        title={workflows.onAlarm}
        actions={form.values.alarmActions}
        error={form.list('alarmActions')}
        change={(alarmActions) => form.change({ alarmActions })}
      />
      {type !== 'NEW_TEST' && (
        <Actions
          title={workflows.onRecover}
          actions={form.values.recoverActions}
          error={form.list('recoverActions')}
          change={(recoverActions) => form.change({ recoverActions })}
        />
      )}
      <CheckField label={workflows.enabled} {...form.check('enabled')} />
    </>
  );
}

function Actions(props: {
  title: string;
  actions: readonly ActionValues[];
  error: string | undefined;
  change: (actions: ActionValues[]) => void;
}) {
  const { title, actions, error, change } = props;
  const replace = (index: number, part: Partial<ActionValues>) =>
    change(actions.map((action, at) => (at === index ? { ...action, ...part } : action)));
  return (
    <fieldset className="stack stack-s check-list">
      <legend className="field-label">{title}</legend>
      {actions.map((action, index) => (
        // Actions have no names: their places are what they are.
        <div key={index} className="card card-body stack stack-s">
          <SelectField
            label={workflows.action}
            value={action.type}
            choices={choicesOf(workflows.actions)}
            onChange={(type) => replace(index, { type, value: type === 'CHANGE_STATE' ? 'MUTED' : '' })}
          />
          <ActionValue action={action} change={(part) => replace(index, part)} />
          <div>
            <button type="button" className="button" onClick={() => change(actions.filter((_, at) => at !== index))}>
              {workflows.removeAction}
            </button>
          </div>
        </div>
      ))}
      {error && <p className="field-error">{error}</p>}
      <div>
        <button type="button" className="button" onClick={() => change([...actions, newAction])}>
          {workflows.addAction}
        </button>
      </div>
    </fieldset>
  );
}

const labels: Readonly<Record<string, string>> = {
  ADD_LABEL: workflows.label,
  REMOVE_LABEL: workflows.label,
  WEBHOOK: workflows.url,
  SLACK: workflows.channel,
};

function ActionValue({ action, change }: { action: ActionValues; change: (part: Partial<ActionValues>) => void }) {
  const { type, value, message } = action;
  if (type === 'CHANGE_STATE')
    return (
      <SelectField
        label={workflows.state}
        value={value}
        choices={choicesOf(texts.suites.testStates)}
        onChange={(state) => change({ value: state })}
      />
    );
  return (
    <>
      <TextField
        label={labels[type] ?? ''}
        required
        placeholder={type === 'SLACK' ? '#tests' : undefined}
        value={value}
        onChange={(next) => change({ value: next })}
      />
      {type === 'SLACK' && (
        <TextField label={workflows.message} value={message} onChange={(next) => change({ message: next })} />
      )}
    </>
  );
}
