import { describe, expect, test } from 'vitest';
import {
  initialTexts,
  settingsInput,
  settingsOf,
  typedSettings,
} from '../../../src/console/pages/notifications/service-settings';
import { texts } from '../../../src/console/texts/texts';

describe('forms of notification services', () => {
  test('every kind of service and every setting has a name', () => {
    for (const provider of Object.keys(texts.notifications.providers))
      for (const { name } of settingsOf(provider)) expect(texts.notifications.settings).toHaveProperty(name);
  });

  test('maps and flags are typed as lines and come back as they were, also masks of secrets', () => {
    const shown = {
      endpoint: 'https://otel.example.com',
      service_name: 'ci',
      headers: { 'x-api-key': 'XXXXXXXXcdef', empty: '' },
      resource_attributes: { 'deployment.environment': 'a=b' },
    };
    const typed = typedSettings('open_telemetry_tracing', JSON.stringify(shown));
    expect(typed['headers']).toBe('x-api-key=XXXXXXXXcdef\nempty=');
    expect(settingsInput('open_telemetry_tracing', typed)).toEqual({
      endpoint: 'https://otel.example.com',
      serviceName: 'ci',
      headers: { 'x-api-key': 'XXXXXXXXcdef', empty: '' },
      resourceAttributes: { 'deployment.environment': 'a=b' },
      tracestate: {},
    });
    expect(settingsInput('aws_event_bridge', { includeBuildMetaData: 'false' })).toEqual({
      includeBuildMetaData: false,
    });
  });

  test('a secret that was left empty is not sent, so that it stays', () => {
    expect(settingsInput('slack', { url: '', theme: 'emoji' })).toEqual({ theme: 'emoji' });
    expect(initialTexts('slack')).toEqual({ url: '', theme: 'text' });
  });
});
