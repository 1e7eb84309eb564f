import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { webhooks_pipeline$key } from '../../../__generated__/webhooks_pipeline.graphql';
import type { webhooksMoreQuery } from '../../../__generated__/webhooksMoreQuery.graphql';
import type { webhooksRotateMutation } from '../../../__generated__/webhooksRotateMutation.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { ConfirmButton } from '../../../ui/confirm-button';
import { CopyLine } from '../../../ui/copy-button';
import { More } from '../../../ui/more';
import { Section } from '../../../ui/section';
import { RelativeTime } from '../../../ui/time';
import { Decisions } from './decisions';
import { DryRun } from './dry-run';
import { JsonBlock } from '../../../ui/json-block';
import { SecretDialog } from './secret-dialog';

const fragment = graphql`
  fragment webhooks_pipeline on Pipeline
  @refetchable(queryName: "webhooksMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
    id
    slug
    webhookURL
    webhookDeliveries(first: $count, after: $cursor) @connection(key: "webhooks_webhookDeliveries") {
      edges {
        node {
          uuid
          event
          provider
          deliveryId
          state
          outcome
          reason
          createdAt
          payload
          decisions {
            ...decisions_decision
          }
        }
      }
    }
  }
`;

const rotateDocument = graphql`
  mutation webhooksRotateMutation($input: PipelineRotateWebhookURLInput!) {
    pipelineRotateWebhookURL(input: $input) {
      pipeline {
        id
        webhookURL
      }
    }
  }
`;

const tones: Record<string, string> = {
  build: 'tone-passed',
  cancel: 'tone-blocked',
  failed: 'tone-failed',
  ignore: 'tone-waiting',
};

interface Props {
  organization: string;
  pipeline: webhooks_pipeline$key;
  refetch: () => void;
}

/** Where the provider sends its events, what it sent, and what each came to, rule by rule. */
export function Webhooks({ organization, pipeline, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<webhooksMoreQuery, webhooks_pipeline$key>(fragment, pipeline);
  const [secret, setSecret] = useState(false);
  const deliveries = nodesOf(data.webhookDeliveries);
  return (
    <>
      {data.webhookURL && (
        <Section
          title={texts.settings.webhook}
          actions={
            <>
              <button type="button" className="button" onClick={() => setSecret(true)}>
                {texts.webhooks.setSecret}
              </button>
              <ConfirmButton<webhooksRotateMutation>
                label={texts.webhooks.rotate}
                question={texts.webhooks.rotateQuestion}
                mutation={rotateDocument}
                input={{ id: data.id }}
                done={refetch}
              />
            </>
          }
        >
          <CopyLine text={data.webhookURL} />
        </Section>
      )}
      <Section title={texts.webhooks.dryRun}>
        <DryRun slug={`${organization}/${data.slug}`} />
      </Section>
      <Section title={texts.pipeline.deliveries}>
        {deliveries.length === 0 ? (
          <p className="card card-body muted">{texts.settings.noDeliveries}</p>
        ) : (
          <ul className="card">
            {deliveries.map((delivery) => (
              <li key={delivery.uuid}>
                <details className="entry">
                  <summary>
                    <span className={`state state-pill ${tones[delivery.outcome ?? ''] ?? 'tone-waiting'}`}>
                      {delivery.outcome ?? delivery.state}
                    </span>
                    <span className="grow">
                      {delivery.provider} {delivery.event} <span className="muted">{delivery.reason}</span>
                    </span>
                    <RelativeTime at={delivery.createdAt} />
                  </summary>
                  <div className="card-body stack">
                    <Decisions decisions={delivery.decisions} />
                    <JsonBlock label={texts.notifications.payload} json={delivery.payload} />
                  </div>
                </details>
              </li>
            ))}
          </ul>
        )}
        <More {...more} />
      </Section>
      {secret && <SecretDialog pipelineId={data.id} close={() => setSecret(false)} />}
    </>
  );
}
