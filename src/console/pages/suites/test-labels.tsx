import { useState } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { testLabels_test$key } from '../../__generated__/testLabels_test.graphql';
import type { testLabelsMutation } from '../../__generated__/testLabelsMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { Icon } from '../../ui/icon';

const fragment = graphql`
  fragment testLabels_test on SuiteTest {
    id
    labels
  }
`;

const mutation = graphql`
  mutation testLabelsMutation($input: SuiteTestLabelInput!) {
    suiteTestLabel(input: $input) {
      suiteTest {
        ...testLabels_test
      }
    }
  }
`;

/** Labels of a test, added and removed in place. */
export function TestLabels({ test }: { test: testLabels_test$key }) {
  const { id, labels } = useFragment(fragment, test);
  const [typed, setTyped] = useState('');
  const { run, pending } = useCommand<testLabelsMutation>(mutation);
  const add = async () => {
    const label = typed.trim();
    if (label !== '' && (await run({ input: { id, labels: [label], operator: 'ADD' } }))) setTyped('');
  };
  return (
    <form
      className="row row-wrap"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      {labels.map((label) => (
        <button
          key={label}
          type="button"
          className="tag tag-link"
          aria-label={texts.suites.removeLabel(label)}
          disabled={pending}
          onClick={() => void run({ input: { id, labels: [label], operator: 'REMOVE' } })}
        >
          {label} <Icon name="close" size={12} />
        </button>
      ))}
      <input
        className="input label-input"
        aria-label={texts.suites.addLabel}
        placeholder={texts.suites.addLabel}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  );
}
