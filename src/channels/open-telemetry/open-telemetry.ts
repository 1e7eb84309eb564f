import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { nextTurn } from '../../event-loop/turns.js';
import type { Services } from '../../services/services.js';
import type { PastSpan } from '../../tracing/tracing.js';
import { objectAt, textAt } from '../build-facts.js';
import { type Answer, type Channel, payloadOf } from '../channel.js';
import { httpAnswer } from '../http-answer.js';
import { openedSettings } from '../opened-settings.js';
import { spansOf } from './spans-of-ends.js';

/** Spans of a request: some hundred KiB of it, encoded in a few milliseconds. */
const spansAtOnce = 200;

/** Spans of a build and its jobs when it has ended, as OTLP over HTTP in Protobuf, to a collector. */
export const openTelemetry: Channel = {
  patience: 'hour',
  send: async (services, message) => {
    const settings = openedSettings(services, message.service);
    const buildId = textAt(objectAt(payloadOf(message), 'build'), 'id');
    const jobs = await services.db
      .selectFrom('jobs')
      .select('id')
      .where('buildId', '=', buildId ?? '')
      .where('type', 'in', ['command', 'trigger'])
      .where('finishedAt', 'is not', null)
      .orderBy('id')
      .execute();
    let answer: Answer = { verdict: 'sent', reply: null, error: null };
    for (let start = 0; start === 0 || start < jobs.length; start += spansAtOnce) {
      const ids = jobs.slice(start, start + spansAtOnce).map(({ id }) => id);
      const builds = start === 0 && buildId ? [buildId] : [];
      const spans = await spansOf(services, { builds, jobs: ids });
      if (spans.length === 0) continue;
      answer = await post(services, settings, spans);
      if (answer.verdict !== 'sent') return answer;
      await nextTurn();
    }
    return answer;
  },
};

async function post(services: Services, settings: JsonObject, spans: readonly PastSpan[]): Promise<Answer> {
  const { encodeSpans } = await import('../../tracing/encode-spans.js');
  const body = encodeSpans(spans, {
    serviceName: textAt(settings, 'service_name') ?? 'buildkite',
    resourceAttributes: objectAt(settings, 'resource_attributes') as Record<string, string>,
    traceState: objectAt(settings, 'tracestate') as Record<string, string>,
  });
  const reply = await services.outbound.send({
    method: 'POST',
    url: tracesUrl(textAt(settings, 'endpoint') ?? ''),
    headers: {
      ...(objectAt(settings, 'headers') as Record<string, string>),
      'content-type': 'application/x-protobuf',
    },
    body: [Buffer.from(body.buffer, body.byteOffset, body.byteLength)],
  });
  const request = JSON.stringify(
    spans.map(({ name, traceId, spanId, attributes }) => ({ name, traceId, spanId, attributes })),
  );
  return { ...httpAnswer(reply, 'The collector'), request };
}

/** The endpoint is a base, as `OTEL_EXPORTER_OTLP_ENDPOINT` is one. */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}
