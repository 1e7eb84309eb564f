import { textAt } from '../build-facts.js';
import { type Channel, payloadOf } from '../channel.js';
import { httpAnswer } from '../http-answer.js';
import { openedSettings } from '../opened-settings.js';
import { resourceOf } from './resource.js';

/** A build or job that ended, for Datadog's CI Visibility. */
export const datadog: Channel = {
  patience: 'hour',
  send: async (services, message) => {
    const settings = openedSettings(services, message.service);
    const tags = (textAt(settings, 'datadog_tags') ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const resource = resourceOf(payloadOf(message), tags);
    if (!resource) return { verdict: 'sent', reply: null, error: null, request: 'nothing: it never ran' };
    const attributes = { provider_name: 'slipway', service: 'slipway', resource };
    const body = JSON.stringify({ data: { type: 'cipipeline_resource_request', attributes } });
    const reply = await services.outbound.send({
      method: 'POST',
      url: `https://api.${textAt(settings, 'datadog_site') ?? 'datadoghq.com'}/api/v2/ci/pipeline`,
      headers: { 'content-type': 'application/json', 'dd-api-key': textAt(settings, 'api_key') ?? '' },
      body,
    });
    return { ...httpAnswer(reply, 'Datadog'), request: body };
  },
};
