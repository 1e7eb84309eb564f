import { useDeferredValue, useId, useState } from 'react';
import { TextField } from '../../ui/field';

/** A thing that can be picked: what is typed for it, what it is called, and its GraphQL ID. */
export interface Pick {
  text: string;
  label: string;
  id: string;
}

export interface PickFieldProps {
  label: string;
  error?: string | undefined;
  required?: boolean;
  autoFocus?: boolean;
  /** What is typed, and the GraphQL ID of the thing where it names one. */
  onPick: (id: string) => void;
}

/**
 * A text with suggestions that the server finds while it is typed. What is typed in full without one is sent as it is.
 */
export function PickField({
  useOptions,
  onPick,
  ...rest
}: PickFieldProps & { useOptions: (search: string) => readonly Pick[] }) {
  const list = useId();
  const [text, setText] = useState('');
  const options = useOptions(useDeferredValue(text));
  return (
    <>
      <TextField
        {...rest}
        list={list}
        value={text}
        onChange={(typed) => {
          setText(typed);
          onPick(options.find((option) => option.text === typed)?.id ?? typed);
        }}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option.id} value={option.text}>
            {option.label}
          </option>
        ))}
      </datalist>
    </>
  );
}
