import { snake } from '../../ui/snake.js';

/** How a setting is typed: a map of texts is a line of `key=value` each. */
export type SettingKind = 'text' | 'url' | 'secret' | 'lines' | 'map' | 'flag' | 'theme';

/** A setting that services of one provider have. */
export interface SettingField {
  /** As the input of GraphQL names it. */
  name: string;
  kind: SettingKind;
  required?: boolean;
  /** Said once: no update changes it. */
  fixed?: boolean;
  initial?: string;
}

/** Settings of every provider but webhooks, whose fields are older than this table. */
const settings: Readonly<Record<string, readonly SettingField[]>> = {
  slack: [
    // Anybody who has the address may post to it, so it is never shown.
    { name: 'url', kind: 'secret', required: true },
    { name: 'theme', kind: 'theme', initial: 'text' },
  ],
  slack_workspace: [
    { name: 'workspace', kind: 'text', required: true },
    { name: 'token', kind: 'secret', required: true },
  ],
  aws_event_bridge: [
    { name: 'awsRegion', kind: 'text', required: true, fixed: true },
    { name: 'awsAccountId', kind: 'text', required: true, fixed: true },
    { name: 'eventBusName', kind: 'text', initial: 'default' },
    { name: 'includeBuildMetaData', kind: 'flag', initial: 'true' },
  ],
  datadog_pipeline_visibility: [
    { name: 'apiKey', kind: 'text', required: true },
    { name: 'datadogSite', kind: 'text', initial: 'datadoghq.com' },
    { name: 'datadogTags', kind: 'lines' },
  ],
  open_telemetry_tracing: [
    { name: 'endpoint', kind: 'url', required: true },
    { name: 'serviceName', kind: 'text', initial: 'buildkite' },
    { name: 'headers', kind: 'map' },
    { name: 'resourceAttributes', kind: 'map' },
    { name: 'tracestate', kind: 'map' },
  ],
  event_log_api: [],
};

/** Settings of a provider; none for a webhook. */
export const settingsOf = (provider: string): readonly SettingField[] => settings[provider] ?? [];

/** Providers whose services name the events that they get. */
export const namesEvents = (provider: string): boolean => provider === 'webhook' || provider === 'event_log_api';

/** Providers that have an answer to a ping. */
export const takesPings = (provider: string): boolean => namesEvents(provider) || provider === 'slack';

/** What is typed into the fields of a new service. */
export const initialTexts = (provider: string): Record<string, string> =>
  Object.fromEntries(settingsOf(provider).map(({ name, initial = '' }) => [name, initial]));

/**
 * Settings as they are typed. `shown` is the JSON text of a reply, with the names of REST. Secrets that are not shown
 * are empty.
 */
export function typedSettings(provider: string, shown: string | null | undefined): Record<string, string> {
  const values = JSON.parse(shown ?? '{}') as Readonly<Record<string, unknown>>;
  return Object.fromEntries(settingsOf(provider).map(({ name }) => [name, typed(values[snake(name)])]));
}

function typed(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, text]) => `${key}=${String(text)}`)
    .join('\n');
}

/** The typed settings as an input. A secret that was left empty stays as it is. */
export function settingsInput(provider: string, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    settingsOf(provider)
      .map((field) => [field.name, inputOf(field, texts[field.name] ?? '')] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function inputOf({ kind }: SettingField, text: string): unknown {
  if (kind === 'flag') return text === 'true';
  if (kind === 'map') return mapOf(text);
  if (kind === 'lines') return text;
  return text === '' ? undefined : text;
}

/** Lines of `key=value`; a line without a value has an empty one. */
function mapOf(text: string): Record<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [key = ''] = line.split('=', 1);
      return [key.trim(), line.slice(key.length + 1).trim()];
    }),
  );
}
