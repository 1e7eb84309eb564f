import { useState } from 'react';
import { fetchQuery, graphql } from 'react-relay';
import type { dryRunQuery, dryRunQuery$data } from '../../../__generated__/dryRunQuery.graphql';
import { environment } from '../../../relay/environment';
import { GraphqlError } from '../../../relay/graphql-error';
import { texts } from '../../../texts/texts';
import { FormError, SelectField, TextField } from '../../../ui/field';
import { problemOf } from '../../../ui/field-problem';
import { useDraft } from '../../../ui/use-draft';
import { Decisions } from './decisions';

const document = graphql`
  query dryRunQuery($slug: ID!, $event: String!, $payload: JSON!, $provider: String) {
    pipeline(slug: $slug) {
      webhookPreview(event: $event, payload: $payload, provider: $provider) {
        outcome
        reason
        decisions {
          ...decisions_decision
        }
      }
    }
  }
`;

const example = JSON.stringify(
  {
    ref: 'refs/heads/main',
    after: '0123456789012345678901234567890123456789',
    repository: { full_name: 'acme/shop', default_branch: 'main' },
    head_commit: { id: '0123456789012345678901234567890123456789', message: 'Try it' },
  },
  null,
  2,
);

type Preview = NonNullable<dryRunQuery$data['pipeline']>['webhookPreview'];

/** Asks what a delivery would come to; nothing is stored and nothing is built. */
export function DryRun({ slug }: { slug: string }) {
  const [draft, change] = useDraft(`dry-run:${slug}`, { provider: 'github', event: 'push', payload: example });
  const [preview, setPreview] = useState<Preview | null>(null);
  const [error, setError] = useState<GraphqlError | null>(null);
  const [pending, setPending] = useState(false);
  const ask = async () => {
    setPending(true);
    setError(null);
    setPreview(null);
    try {
      const reply = await fetchQuery<dryRunQuery>(environment, document, { slug, ...draft }).toPromise();
      setPreview(reply?.pipeline?.webhookPreview ?? null);
    } catch (problem) {
      setError(problem instanceof GraphqlError ? problem : new GraphqlError(String(problem), 'INTERNAL'));
    } finally {
      setPending(false);
    }
  };
  return (
    <form
      className="card card-body stack"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <p className="muted">{texts.webhooks.dryRunText}</p>
      <SelectField
        label={texts.webhooks.provider}
        value={draft.provider}
        error={problemOf(error, 'provider')}
        onChange={(provider) => change({ provider })}
        choices={Object.entries(texts.webhooks.providers).map(([value, label]) => ({ value, label }))}
      />
      <TextField
        label={texts.build.event}
        required
        value={draft.event}
        error={problemOf(error, 'event')}
        onChange={(event) => change({ event })}
      />
      <TextField
        label={texts.notifications.payload}
        required
        lines={6}
        value={draft.payload}
        error={problemOf(error, 'payload')}
        onChange={(payload) => change({ payload })}
      />
      <FormError error={error} fields={['provider', 'event', 'payload']} />
      <div>
        <button type="submit" className="button" disabled={pending}>
          {texts.webhooks.ask}
        </button>
      </div>
      {preview && (
        <div role="status" className="stack stack-s">
          <p>
            <strong>{texts.webhooks.outcomes[preview.outcome as keyof typeof texts.webhooks.outcomes]}</strong>{' '}
            {preview.reason}
          </p>
          <Decisions decisions={preview.decisions} />
        </div>
      )}
    </form>
  );
}
