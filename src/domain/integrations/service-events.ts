import { type NotificationEvent, notificationEvents, type SentEvent } from './notification-events.js';
import type { ServiceProvider } from './service-providers.js';

/** Events that services of each provider get; null where the service names them itself. */
const eventsOfProviders: Readonly<Record<ServiceProvider, readonly NotificationEvent[] | null>> = {
  webhook: null,
  slack: ['build.failing', 'build.finished', 'job.activated'],
  // Speaks only where `notify` says so.
  slack_workspace: [],
  aws_event_bridge: notificationEvents,
  datadog_pipeline_visibility: ['build.finished', 'build.skipped', 'job.finished'],
  open_telemetry_tracing: ['build.finished'],
  event_log_api: null,
};

interface Subscription {
  provider: ServiceProvider;
  events: readonly string[];
  settings: Readonly<Record<string, unknown>>;
}

/** Events that a service gets. */
export function eventsOfService({ provider, events, settings }: Subscription): readonly (SentEvent | string)[] {
  const fixed = eventsOfProviders[provider];
  if (fixed) return fixed;
  // Former releases would send the events in the column of any service as those of a webhook.
  return provider === 'webhook' ? events : ((settings['events'] as string[] | undefined) ?? notificationEvents);
}
