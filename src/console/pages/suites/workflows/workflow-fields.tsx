import { texts } from '../../../texts/texts';
import { CheckField, SelectField, TextField } from '../../../ui/field';
import type { Form } from '../../../ui/use-form';
import { type ActionValues, isMeasuring, newAction, valueField, type WorkflowValues } from './workflow-values';

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
        errorAt={(place) => form.within('alarmActions', place)}
        change={(alarmActions) => form.change({ alarmActions })}
      />
      {type !== 'NEW_TEST' && (
        <Actions
          title={workflows.onRecover}
          actions={form.values.recoverActions}
          error={form.list('recoverActions')}
          errorAt={(place) => form.within('recoverActions', place)}
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
  /** What is refused at a place of the list, such as `0.url`. */
  errorAt: (place: string) => string | undefined;
  change: (actions: ActionValues[]) => void;
}) {
  const { title, actions, error, errorAt, change } = props;
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
            error={errorAt(`${index}.type`)}
            onChange={(type) => replace(index, { type, value: type === 'CHANGE_STATE' ? 'MUTED' : '' })}
          />
          <ActionValue
            action={action}
            errorAt={(field) => errorAt(`${index}.${field}`)}
            change={(part) => replace(index, part)}
          />
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

const labels = { label: workflows.label, url: workflows.url, channel: workflows.channel };

function ActionValue(props: {
  action: ActionValues;
  errorAt: (field: string) => string | undefined;
  change: (part: Partial<ActionValues>) => void;
}) {
  const { action, errorAt, change } = props;
  const { type, value, message } = action;
  const field = valueField(type);
  const shared = { value, error: errorAt(field), onChange: (next: string) => change({ value: next }) };
  if (field === 'state')
    return <SelectField label={workflows.state} choices={choicesOf(texts.suites.testStates)} {...shared} />;
  return (
    <>
      <TextField label={labels[field]} required placeholder={field === 'channel' ? '#tests' : undefined} {...shared} />
      {field === 'channel' && (
        <TextField
          label={workflows.message}
          value={message}
          error={errorAt('message')}
          onChange={(next) => change({ message: next })}
        />
      )}
    </>
  );
}
