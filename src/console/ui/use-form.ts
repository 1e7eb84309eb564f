import { useRef } from 'react';
import type { GraphQLTaggedNode, MutationParameters } from 'relay-runtime';
import type { GraphqlError } from '../relay/graphql-error';
import { useCommand } from '../relay/use-command';
import { problemOf } from './field-problem';
import { useDraft } from './use-draft';

type Names<Values, Kind> = { [Name in keyof Values]: Values[Name] extends Kind ? Name : never }[keyof Values] & string;

/** What a control needs of one field: its value, what is done with another, and what the operation says about it. */
interface Bound<Value> {
  value: Value;
  error: string | undefined;
  onChange: (value: Value) => void;
}

export interface Form<Values extends object> {
  values: Values;
  change: (part: Partial<Values>) => void;
  /** Binds a text; `also`: other names by which the operation may call the field. */
  text: (name: Names<Values, string>, ...also: string[]) => Bound<string>;
  check: (name: Names<Values, boolean>) => { checked: boolean; onChange: (checked: boolean) => void };
  /** What the operation says about a field that is no text. */
  list: (name: keyof Values & string, ...also: string[]) => string | undefined;
  /** What it says about a place within a field, such as `actions.0.url`. */
  within: (name: keyof Values & string, place: string) => string | undefined;
  pending: boolean;
  error: GraphqlError | null;
  /** Names of the fields that show their own refusal. */
  bound: () => string[];
  submit: () => void;
}

/**
 * A form that sends one mutation. What was typed survives a reload and the way over the sign-in page, unless `secret`:
 * then nothing of it is kept outside this page.
 */
export function useForm<Values extends object, M extends MutationParameters>(
  mutation: GraphQLTaggedNode,
  options: {
    /** Names the draft, with what the form is about. */
    key: string;
    secret?: boolean;
    initial: Values;
    variables: (values: Values) => M['variables'];
    done: (response: M['response'], values: Values) => void;
  },
): Form<Values> {
  const { run, pending, error } = useCommand<M>(mutation, { quiet: true });
  const [values, change, forget] = useDraft(options.key, options.initial, { kept: !options.secret });
  const names = useRef(new Set<string>());
  const send = async () => {
    const response = await run(options.variables(values));
    if (!response) return;
    forget();
    options.done(response, values);
  };
  const refusal = (name: string, also: string[]) => {
    [name, ...also].forEach((each) => names.current.add(each));
    return [name, ...also].map((each) => problemOf(error, each)).find((problem) => problem !== undefined);
  };
  return {
    values,
    change,
    text: (name, ...also) => ({
      value: values[name] as string,
      error: refusal(name, also),
      onChange: (value) => change({ [name]: value } as unknown as Partial<Values>),
    }),
    check: (name) => ({
      checked: values[name] as boolean,
      onChange: (checked) => change({ [name]: checked } as unknown as Partial<Values>),
    }),
    list: (name, ...also) => refusal(name, also),
    within: (name, place) => refusal(`${name}.${place}`, []),
    pending,
    error,
    bound: () => [...names.current],
    submit: () => void send(),
  };
}
