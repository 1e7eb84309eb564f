import { type ReactNode, useId } from 'react';
import type { GraphqlError } from '../relay/graphql-error';
import { texts } from '../texts/texts';
import { problemOf } from './field-problem';

/** The part of a refusal that belongs to none of the fields named. */
export function FormError({ error, fields }: { error: GraphqlError | null; fields: string[] }) {
  if (!error || fields.some((name) => problemOf(error, name))) return null;
  return (
    <p role="alert" className="field-error">
      {error.message}
    </p>
  );
}

interface Labels {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** Names what stands below a field to screen readers. */
const describedBelow = (id: string, { error, hint }: Pick<Labels, 'error' | 'hint'>) => ({
  'aria-invalid': error ? true : undefined,
  'aria-describedby': error || hint ? `${id}-hint` : undefined,
});

export function TextField({
  label,
  hint,
  error,
  value,
  onChange,
  lines,
  ...rest
}: Labels & {
  value: string;
  onChange: (value: string) => void;
  lines?: number;
  name?: string;
  type?: 'text' | 'password' | 'number' | 'email' | 'url' | 'datetime-local';
  autoComplete?: string;
  placeholder?: string;
  list?: string;
  required?: boolean;
  autoFocus?: boolean;
}) {
  const id = useId();
  const shared = {
    id,
    value,
    className: 'input',
    ...describedBelow(id, { error, hint }),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    ...rest,
  };
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {rest.required && <span className="muted"> {texts.common.required}</span>}
      </label>
      {lines ? <textarea rows={lines} {...shared} /> : <input autoComplete="off" {...shared} />}
      <Below id={`${id}-hint`} error={error} hint={hint} />
    </div>
  );
}

export interface Choice {
  value: string;
  label: string;
}

export function SelectField({
  label,
  hint,
  error,
  value,
  onChange,
  choices,
  hideLabel = false,
}: Labels & { value: string; onChange: (value: string) => void; choices: Choice[]; hideLabel?: boolean }) {
  const id = useId();
  return (
    <div className="field">
      <label className={hideLabel ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="input"
        value={value}
        {...describedBelow(id, { error, hint })}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Below id={`${id}-hint`} error={error} hint={hint} />
    </div>
  );
}

export function CheckField({
  label,
  hint,
  checked,
  disabled = false,
  onChange,
}: {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label}
        {hint && <span className="field-hint check-hint">{hint}</span>}
      </span>
    </label>
  );
}

/** Several of many, each a checkbox. */
export function CheckList({
  label,
  hint,
  error,
  choices,
  chosen,
  onChange,
}: Labels & { choices: readonly Choice[]; chosen: readonly string[]; onChange: (chosen: string[]) => void }) {
  return (
    <fieldset className="field check-list">
      <legend className="field-label">{label}</legend>
      <div className="check-grid">
        {choices.map((choice) => (
          <CheckField
            key={choice.value}
            label={choice.label}
            checked={chosen.includes(choice.value)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, choice.value] : chosen.filter((value) => value !== choice.value))
            }
          />
        ))}
      </div>
      {(error ?? hint) && <div className={error ? 'field-error' : 'field-hint'}>{error ?? hint}</div>}
    </fieldset>
  );
}

function Below({ id, error, hint }: { id: string; error?: string | undefined; hint?: ReactNode }) {
  if (!error && !hint) return null;
  return (
    <div id={id} className={error ? 'field-error' : 'field-hint'}>
      {error ?? hint}
    </div>
  );
}
