import type { ChannelName } from '../domain/integrations/service-providers.js';
import { basecamp } from './basecamp/basecamp.js';
import type { Channel } from './channel.js';
import { datadog } from './datadog/datadog.js';
import { email } from './email/email.js';
import { eventBridge } from './event-bridge/event-bridge.js';
import { eventLog } from './event-log/event-log.js';
import { openTelemetry } from './open-telemetry/open-telemetry.js';
import { pagerduty } from './pagerduty/pagerduty.js';
import { slack } from './slack/slack.js';
import { slackWorkspace } from './slack/slack-workspace.js';
import { webhook } from './webhook/webhook.js';

/** Every channel by its name; adding one is adding a folder and a line here. */
export const channels: Readonly<Record<ChannelName, Channel>> = {
  webhook,
  slack,
  slack_workspace: slackWorkspace,
  aws_event_bridge: eventBridge,
  datadog_pipeline_visibility: datadog,
  open_telemetry_tracing: openTelemetry,
  event_log_api: eventLog,
  email,
  pagerduty_change_event: pagerduty,
  basecamp_campfire: basecamp,
};
