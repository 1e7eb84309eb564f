import { seal, unseal } from '../../../auth/sealed.js';
import { openedSettings, settingsPurpose } from '../../../channels/opened-settings.js';
import { masked, unlessMasked } from '../../../domain/integrations/masked.js';
import type { ServiceProvider } from '../../../domain/integrations/service-providers.js';
import { invalidField } from '../../../domain/problem.js';
import type { Json, JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { NotificationServiceRow } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';
import type { ServiceSettings, SettingName } from './settings-fields.js';
import { tokenPurpose } from './token-purpose.js';

/** Settings that services of a provider have. */
interface SettingsForm {
  required: readonly SettingName[];
  optional: readonly SettingName[];
  /** Those that no update changes. */
  fixed?: readonly SettingName[];
  /** Secrets that are shown masked; of a map its values. */
  masked?: readonly SettingName[];
  /** Secrets that are not shown. */
  hidden?: readonly SettingName[];
}

export const settingsForms: Readonly<Record<ServiceProvider, SettingsForm>> = {
  webhook: {
    required: ['url'],
    optional: ['token', 'token_mode', 'version', 'events', 'tls_verify'],
    hidden: ['token'],
  },
  slack: { required: ['url'], optional: ['theme'], hidden: ['url'] },
  slack_workspace: { required: ['token', 'workspace'], optional: [], hidden: ['token'] },
  aws_event_bridge: {
    required: ['aws_region', 'aws_account_id'],
    optional: ['event_bus_name', 'include_build_meta_data'],
    fixed: ['aws_region', 'aws_account_id'],
    masked: ['aws_account_id'],
  },
  datadog_pipeline_visibility: {
    required: ['api_key'],
    optional: ['datadog_site', 'datadog_tags'],
    masked: ['api_key'],
  },
  open_telemetry_tracing: {
    required: ['endpoint'],
    optional: ['service_name', 'headers', 'resource_attributes', 'tracestate'],
    masked: ['headers'],
  },
  event_log_api: { required: [], optional: ['events'] },
};

/** Whether a setting is a secret of the provider. */
export const isSecretSetting = (provider: ServiceProvider, name: string): boolean => {
  const { masked: inPart = [], hidden = [] } = settingsForms[provider];
  return [...inPart, ...hidden].includes(name as SettingName);
};

type StoredSettings = Pick<NotificationServiceRow, 'settings' | 'sealedSettings'>;

/**
 * Columns for the settings of a service of a provider other than webhook, after a request: settings that it does not
 * name stay, and so do secrets whose mask is sent back. Throws for a setting that is missing or cannot be changed.
 */
export function changedSettings(
  services: Services,
  provider: ServiceProvider,
  request: ServiceSettings,
  before: StoredSettings | null,
): StoredSettings {
  const { required, optional, fixed = [] } = settingsForms[provider];
  const known: JsonObject = before ? { ...openedSettings(services, before) } : {};
  const after = { ...known };
  for (const name of [...required, ...optional]) {
    const sent = request[name];
    if (sent === undefined || sent === null) continue;
    const value = withoutMasks(sent as Json, known[name]);
    if (before && fixed.includes(name) && value !== known[name])
      throw invalidField(`settings.${name}`, "can't be changed: create another service");
    after[name] = value;
  }
  requireSettings(provider, after);
  const secrets = Object.entries(after).filter(([name]) => isSecretSetting(provider, name));
  const others = Object.entries(after).filter(([name]) => !isSecretSetting(provider, name));
  return {
    settings: Object.fromEntries(others),
    sealedSettings:
      secrets.length === 0
        ? null
        : seal(services.secretKey, settingsPurpose, JSON.stringify(Object.fromEntries(secrets))),
  };
}

/** Throws for a setting that services of the provider must have. */
export function requireSettings(provider: ServiceProvider, settings: Readonly<Record<string, unknown>>): void {
  const missing = settingsForms[provider].required.find(
    (name) => settings[name] === undefined || settings[name] === null,
  );
  if (missing) throw invalidField(`settings.${missing}`, 'missing');
}

/** A text, or the texts of a map, with the stored ones in the place of their masks. */
function withoutMasks(sent: Json, before: Json | undefined): Json {
  if (typeof sent === 'string') return unlessMasked(sent, typeof before === 'string' ? before : undefined);
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const known = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {};
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, withoutMasks(value, known[name])]));
}

/** Every setting of a service with its secrets, in the form of a request: for a comparison, never for a reply. */
export function plainSettings(services: Pick<Services, 'secretKey'>, service: NotificationServiceRow): JsonObject {
  if (service.provider !== 'webhook') return openedSettings(services, service);
  const { sealedToken } = service;
  return {
    url: service.url,
    token: sealedToken === null ? null : unseal(services.secretKey, tokenPurpose, sealedToken),
    token_mode: service.tokenMode,
    events: service.events,
    tls_verify: service.tlsVerify,
  };
}

/** The settings of a service as replies show them: secrets masked or left out. */
export function shownSettings(services: Pick<Services, 'secretKey'>, service: NotificationServiceRow): JsonObject {
  const { provider } = service;
  if (provider === 'webhook')
    return {
      url: service.url,
      token_mode: service.tokenMode,
      token_set: service.sealedToken !== null,
      version: 3,
      events: service.events,
      tls_verify: service.tlsVerify,
    };
  const { masked: inPart = [], hidden = [] } = settingsForms[provider];
  const shown = Object.entries(openedSettings(services, service))
    .filter(([name]) => !hidden.includes(name as SettingName))
    .map(([name, value]) => [name, inPart.includes(name as SettingName) ? maskOf(value) : value] as const);
  return Object.fromEntries(shown);
}

function maskOf(value: Json): Json {
  if (typeof value === 'string') return masked(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, maskOf(text)]));
}
