import { limits } from '../limits/limits.js';

/** Providers of notification services, in the order the documentation lists them. */
export const serviceProviders = [
  'webhook',
  'slack',
  'slack_workspace',
  'aws_event_bridge',
  'datadog_pipeline_visibility',
  'open_telemetry_tracing',
  'event_log_api',
] as const;
export type ServiceProvider = (typeof serviceProviders)[number];

/** Every way to send a notification: services of an organization, and what `notify` reaches without one. */
export type ChannelName = ServiceProvider | 'email' | 'pagerduty_change_event' | 'basecamp_campfire';

/** Name of each provider as people know it. */
export const providerNames: Readonly<Record<ServiceProvider, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  slack_workspace: 'Slack Workspace',
  aws_event_bridge: 'Amazon EventBridge',
  datadog_pipeline_visibility: 'Datadog Pipeline Visibility',
  open_telemetry_tracing: 'OpenTelemetry Tracing',
  event_log_api: 'Event Log API',
};

/** Most services of each provider that an organization may have. */
export const servicesAtMost: Readonly<Record<ServiceProvider, number>> = {
  webhook: limits.webhookServices,
  slack: limits.slackServices,
  slack_workspace: limits.slackWorkspaceServices,
  aws_event_bridge: limits.eventBridgeServices,
  datadog_pipeline_visibility: limits.datadogServices,
  open_telemetry_tracing: limits.openTelemetryServices,
  event_log_api: limits.eventLogServices,
};
