import { graphql, useLazyLoadQuery } from 'react-relay';
import type { unblockFormMutation } from '../../../__generated__/unblockFormMutation.graphql';
import type { unblockFormQuery } from '../../../__generated__/unblockFormQuery.graphql';
import { useCommand } from '../../../relay/use-command';
import { texts } from '../../../texts/texts';
import { CheckList, FormError, SelectField, TextField } from '../../../ui/field';
import { problemOf } from '../../../ui/field-problem';
import { useDraft } from '../../../ui/use-draft';

const document = graphql`
  query unblockFormQuery($job: ID!) {
    node(id: $job) {
      ... on JobTypeBlock {
        isUnblockable
        unblockedBy {
          name
        }
        step {
          prompt
          fields {
            key
            label
            hint
            required
            default
            multiple
            options {
              label
              value
            }
          }
        }
      }
    }
  }
`;

const mutation = graphql`
  mutation unblockFormMutation($input: JobTypeBlockUnblockInput!) {
    jobTypeBlockUnblock(input: $input) {
      jobTypeBlock {
        ...jobFields_job
        build {
          ...buildHeader_build
        }
      }
    }
  }
`;

/** The form of a block: its fields with their defaults, and the button that lets the build go on. */
export function UnblockForm({ jobId, state }: { jobId: string; state: string }) {
  const { node } = useLazyLoadQuery<unblockFormQuery>(
    document,
    { job: jobId },
    { fetchPolicy: 'store-and-network', fetchKey: state },
  );
  const fields = node?.step?.fields ?? [];
  const initial = Object.fromEntries(fields.map((field) => [field.key, [...field.default]]));
  const [draft, change, forget] = useDraft<Record<string, string[]>>(`unblock:${jobId}`, initial);
  const { run, pending, error } = useCommand<unblockFormMutation>(mutation, { quiet: true });
  if (!node) return null;
  if (!node.isUnblockable) {
    return node.unblockedBy ? <p className="muted">{texts.job.unblockedBy(node.unblockedBy.name)}</p> : null;
  }
  const submit = async () => {
    const answers = fields.flatMap(({ key, multiple }) => {
      const values = draft[key] ?? [];
      if (values.length === 0) return [];
      return [[key, multiple ? values : values[0]]];
    });
    const response = await run({ input: { id: jobId, fields: JSON.stringify(Object.fromEntries(answers)) } });
    if (response) forget();
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {node.step?.prompt && <p>{node.step.prompt}</p>}
      {fields.map((field) => (
        <BlockField
          key={field.key}
          field={field}
          values={draft[field.key] ?? []}
          error={problemOf(error, field.key)}
          onChange={(values) => change({ [field.key]: values })}
        />
      ))}
      <FormError error={error} fields={fields.map(({ key }) => key)} />
      <div>
        <button type="submit" className="button button-primary" disabled={pending}>
          {texts.job.unblock}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  field: {
    readonly key: string;
    readonly label?: string | null | undefined;
    readonly hint?: string | null | undefined;
    readonly required: boolean;
    readonly multiple: boolean;
    readonly options?: readonly { readonly label: string; readonly value: string }[] | null | undefined;
  };
  values: string[];
  error: string | undefined;
  onChange: (values: string[]) => void;
}

function BlockField({ field, values, error, onChange }: FieldProps) {
  const label = field.label ?? field.key;
  if (!field.options) {
    return (
      <TextField
        label={label}
        hint={field.hint}
        error={error}
        required={field.required}
        value={values[0] ?? ''}
        onChange={(value) => onChange(value === '' ? [] : [value])}
      />
    );
  }
  if (!field.multiple) {
    return (
      <SelectField
        label={label}
        hint={field.hint}
        error={error}
        value={values[0] ?? ''}
        onChange={(value) => onChange(value === '' ? [] : [value])}
        choices={[{ value: '', label: texts.unblock.choose }, ...field.options]}
      />
    );
  }
  return (
    <CheckList
      label={label}
      hint={field.hint}
      error={error}
      choices={field.options}
      chosen={values}
      onChange={onChange}
    />
  );
}
