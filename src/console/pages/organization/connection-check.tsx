import { useState } from 'react';
import { graphql } from 'react-relay';
import type {
  connectionCheckMutation,
  connectionCheckMutation$data,
} from '../../__generated__/connectionCheckMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { RelativeTime } from '../../ui/time';

const document = graphql`
  mutation connectionCheckMutation($input: ProviderConnectionCheckInput!) {
    providerConnectionCheck(input: $input) {
      check {
        works
        account
        permissions
        expiresAt
        mayPublishStatuses
        mayManageWebhooks
        mayReadRepositories
        problems
      }
    }
  }
`;

type Check = NonNullable<connectionCheckMutation$data['providerConnectionCheck']>['check'];

/** Asks the provider whether a connection works, and shows what it may do. */
export function ConnectionCheck({ uuid, name }: { uuid: string; name: string }) {
  const { run, pending } = useCommand<connectionCheckMutation>(document);
  const [check, setCheck] = useState<Check | null>(null);
  const { connections } = texts.organization;
  const ask = async () => {
    const reply = await run({ input: { id: uuid } });
    setCheck(reply?.providerConnectionCheck?.check ?? null);
  };
  return (
    <>
      <button type="button" className="button" disabled={pending} onClick={() => void ask()}>
        {connections.check}
      </button>
      {check && (
        <Dialog title={connections.checkOf(name)} open onClose={() => setCheck(null)}>
          <Result check={check} />
          <div className="dialog-foot">
            <button type="button" className="button button-primary" onClick={() => setCheck(null)}>
              {texts.common.done}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Result({ check }: { check: Check }) {
  const { connections } = texts.organization;
  const rights = [
    [connections.mayPublishStatuses, check.mayPublishStatuses],
    [connections.mayManageWebhooks, check.mayManageWebhooks],
    [connections.mayReadRepositories, check.mayReadRepositories],
  ] as const;
  return (
    <div className="stack stack-s">
      <p>{check.works ? connections.works(check.account ?? null) : connections.worksNot}</p>
      {check.problems.map((problem) => (
        <p key={problem} role="alert" className="field-error">
          {problem}
        </p>
      ))}
      {check.works && (
        <ul>
          {rights.map(([right, may]) => (
            <li key={right}>
              {right}: {connections.answers(may ?? null)}
            </li>
          ))}
        </ul>
      )}
      {check.permissions && check.permissions.length > 0 && (
        <p className="muted">
          {connections.permissions}: {check.permissions.join(', ')}
        </p>
      )}
      {check.expiresAt && (
        <p className="muted">
          {connections.expires} <RelativeTime at={check.expiresAt} />
        </p>
      )}
    </div>
  );
}
