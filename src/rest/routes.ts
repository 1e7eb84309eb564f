import type { Route } from './route.js';
import { agentTokenRoutes } from './routes/agent-tokens.js';
import { agentRoutes } from './routes/agents.js';
import { annotationRoutes } from './routes/annotations.js';
import { apiAccessTokenRoutes } from './routes/api-access-tokens.js';
import { artifactRoutes } from './routes/artifacts.js';
import { auditEventRoutes } from './routes/audit-events.js';
import { buildRoutes } from './routes/builds.js';
import { clusterRoutes } from './routes/clusters.js';
import { emojiRoutes } from './routes/emojis.js';
import { eventRoutes } from './routes/events.js';
import { jobRoutes } from './routes/jobs.js';
import { metaRoutes } from './routes/meta.js';
import { notificationServiceRoutes } from './routes/notification-services.js';
import { organizationRoutes } from './routes/organizations.js';
import { pipelineScheduleRoutes } from './routes/pipeline-schedules.js';
import { pipelineTemplateRoutes } from './routes/pipeline-templates.js';
import { pipelineTriggerRoutes } from './routes/pipeline-triggers.js';
import { pipelineRoutes } from './routes/pipelines.js';
import { queueRoutes } from './routes/queues.js';
import { ruleRoutes } from './routes/rules.js';
import { secretRoutes } from './routes/secrets.js';
import { suiteTestRoutes } from './routes/suite-tests.js';
import { suiteRoutes } from './routes/suites.js';
import { teamMemberRoutes } from './routes/team-members.js';
import { teamPipelineRoutes } from './routes/team-pipelines.js';
import { teamSuiteRoutes } from './routes/team-suites.js';
import { teamRoutes } from './routes/teams.js';
import { userRoutes } from './routes/user.js';
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.js';
import { webhookRoutes } from './routes/webhooks.js';

/**
 * THE table of the REST surface: every route of /v2 with its operation, one file a resource. The router and the
 * OpenAPI document are generated from it.
 */
export const routes: readonly Route[] = [
  ...userRoutes,
  ...organizationRoutes,
  ...clusterRoutes,
  ...pipelineRoutes,
  ...buildRoutes,
  ...jobRoutes,
  ...eventRoutes,
  ...notificationServiceRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...teamPipelineRoutes,
  ...teamSuiteRoutes,
  ...pipelineTemplateRoutes,
  ...annotationRoutes,
  ...emojiRoutes,
  ...metaRoutes,
  ...suiteRoutes,
  ...suiteTestRoutes,
  ...artifactRoutes,
  ...agentRoutes,
  ...queueRoutes,
  ...agentTokenRoutes,
  ...secretRoutes,
  ...pipelineScheduleRoutes,
  ...webhookDeliveryRoutes,
  ...webhookRoutes,
  ...pipelineTriggerRoutes,
  ...auditEventRoutes,
  ...ruleRoutes,
  ...apiAccessTokenRoutes,
];
