import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { Services } from '../../services/services.js';
import { objectAt, textAt } from '../build-facts.js';
import { type Channel, type ChannelMessage, payloadOf } from '../channel.js';
import { openedSettings } from '../opened-settings.js';
import { detailOf, detailType } from './detail.js';

/** `source` of the events, which rules match; a partner source is for hosted services only. */
const source = 'slipway';
/** An entry may have 256 KiB with its other members. */
const longestDetail = 240 * 1024;

/** An event on a bus of Amazon EventBridge, with the credentials that the server's environment has. */
export const eventBridge: Channel = {
  patience: 'days',
  send: async (services, message) => {
    if (!services.eventBus)
      return { verdict: 'refused', reply: null, error: 'This server sends no events to Amazon EventBridge.' };
    const settings = openedSettings(services, message.service);
    const payload = payloadOf(message);
    const detail = await detailText(services, message, payload, settings['include_build_meta_data'] !== false);
    const region = textAt(settings, 'aws_region') ?? '';
    const bus = `arn:${partitionOf(region)}:events:${region}:${textAt(settings, 'aws_account_id') ?? ''}:event-bus/${
      textAt(settings, 'event_bus_name') ?? 'default'
    }`;
    const { verdict, status, words } = await services.eventBus.put({
      region,
      bus,
      source,
      detailType: detailType(message.event, payload),
      detail,
    });
    const reply = status === null ? null : { status, body: words };
    return { verdict, reply, error: verdict === 'sent' ? null : words, request: detail };
  },
};

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/** The detail, without meta-data and with a shorter message where an entry could not hold it. */
async function detailText(
  { db }: Services,
  { service }: ChannelMessage,
  payload: JsonObject,
  metaData: boolean,
): Promise<string> {
  const organizationId = service?.organizationId ?? '';
  const row = await db.selectFrom('organizations').select('slug').where('id', '=', organizationId).executeTakeFirst();
  const organization = {
    uuid: organizationId,
    graphql_id: encodeNodeId('Organization', organizationId),
    slug: row?.slug ?? null,
  };
  const whole = JSON.stringify(detailOf(payload, organization, { metaData }));
  if (Buffer.byteLength(whole) <= longestDetail) return whole;
  const build = objectAt(payload, 'build');
  const message = (textAt(build, 'message') ?? '').slice(0, 1000);
  const job = objectAt(payload, 'job');
  const smaller = {
    ...payload,
    build: { ...build, message },
    ...('job' in payload ? { job: { ...job, command: (textAt(job, 'command') ?? '').slice(0, 1000) } } : {}),
  };
  return JSON.stringify(detailOf(smaller, organization, { metaData: false }));
}
