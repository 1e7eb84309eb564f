import { z } from 'zod';
import { notificationEvents } from '../../../domain/integrations/notification-events.js';
import { filledText, flag, oneOf, orMissing, text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { receiverUrl } from './fields.js';

/** Characters of a text of a map. */
const mapTextLength = 1000;

/** A map of texts, of so many entries, whose keys and values have these forms. */
const textMap = (most: number, { key, value }: { key: RegExp; value: RegExp }, form: string) =>
  z
    .record(z.string(), text(mapTextLength), { error: orMissing('must be a map of texts') })
    .superRefine((map, context) => {
      const entries = Object.entries(map);
      const wrong = entries.find(([name, each]) => !key.test(name) || !value.test(each));
      if (entries.length > most) context.addIssue({ code: 'custom', message: `has more than ${most} entries` });
      else if (wrong) context.addIssue({ code: 'custom', message: `${wrong[0].slice(0, 50)} ${form}` });
    })
    .meta({ maxProperties: most });

const headerName = /^(?!(?:connection|content-length|content-type|host|transfer-encoding)$)[\w!#$%&'*+.^`|~-]{1,100}$/i;
const printable = /^[\x20-\x7e]{0,1000}$/;
const tracestateKey = /^[a-z0-9][a-z0-9_\-*/@]{0,255}$/;
const tracestateValue = /^(?=.*[\x21-\x7e]$)[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;

/** A text of one form, or a mask of it that is sent back. */
const formed = (form: RegExp, sentence: string) => text(limits.notificationTokenLength).regex(form, sentence);

/**
 * Accepted `settings` of every provider, each of which takes its own (`service-settings.ts`); others are ignored, as
 * unknown ones are.
 */
export const settingsSchema = z.object(
  {
    url: receiverUrl.optional(),
    token: filledText(limits.notificationTokenLength).nullish(),
    token_mode: oneOf(['token', 'signature']).optional(),
    version: z.literal(3, { error: 'must be 3' }).nullish(),
    events: z
      .array(oneOf(notificationEvents), { error: orMissing('must be a list of events') })
      .max(notificationEvents.length, 'names an event twice')
      .optional(),
    tls_verify: flag.optional(),
    theme: oneOf(['text', 'emoji']).optional(),
    workspace: filledText(limits.notificationTokenLength).optional(),
    aws_region: formed(/^[a-z]{2}(-[a-z]+){1,3}-\d$/, 'must be a region such as us-east-1').optional(),
    aws_account_id: formed(/^(\d{12}|X{12}\d{4})$/, 'must be 12 digits').optional(),
    event_bus_name: formed(/^[\w./-]{1,255}$/, 'must be the name of an event bus').optional(),
    include_build_meta_data: flag.optional(),
    api_key: formed(/^[\w-]{4,255}$/, 'must be an API key').optional(),
    datadog_site: formed(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'must be a site such as datadoghq.eu').optional(),
    datadog_tags: text(limits.datadogTagsLength)
      .regex(/^(\s*|[^:\s][^:\n]*:[^\n]+(\n|$))*$/, 'must be lines of key:value')
      .optional(),
    endpoint: receiverUrl.optional(),
    service_name: filledText(limits.notificationTokenLength).optional(),
    headers: textMap(50, { key: headerName, value: printable }, 'is no header that may be set').optional(),
    resource_attributes: textMap(50, { key: /^[\w./-]{1,255}$/, value: printable }, 'is no attribute').optional(),
    tracestate: textMap(
      32,
      { key: tracestateKey, value: tracestateValue },
      'is no member of tracestate (W3C Trace Context)',
    ).optional(),
  },
  { error: orMissing('must be an object') },
);

export type ServiceSettings = z.output<typeof settingsSchema>;
export type SettingName = keyof ServiceSettings;
