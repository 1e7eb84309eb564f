import { lazy, Suspense, useState } from 'react';
import type { GraphQLTaggedNode, MutationParameters } from 'relay-runtime';
import { useCommand } from '../relay/use-command';

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog')).ConfirmDialog }));

interface Props<M extends MutationParameters> {
  /** What the button does, and what the dialog asks about. */
  label: string;
  question: string;
  mutation: GraphQLTaggedNode;
  input: M['variables'] extends { input: infer Input } ? Input : never;
  done: () => void;
}

/** A button for what cannot be undone: asks once more, and says there what was refused. */
export function ConfirmButton<M extends MutationParameters>({ label, question, mutation, input, done }: Props<M>) {
  const [asking, setAsking] = useState(false);
  const { run, pending, error, clear } = useCommand<M>(mutation, { quiet: true });
  const close = () => {
    setAsking(false);
    clear();
  };
  const confirm = async () => {
    if (!(await run({ input } as M['variables']))) return;
    close();
    done();
  };
  return (
    <>
      <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
        {label}
      </button>
      {asking && (
        <Suspense>
          <ConfirmDialog
            question={question}
            label={label}
            pending={pending}
            error={error?.message}
            confirm={() => void confirm()}
            close={close}
          />
        </Suspense>
      )}
    </>
  );
}
