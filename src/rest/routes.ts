import type { Route } from './route.js';
import { agentTokenRoutes } from './routes/agents/agent-tokens.js';
import { agentRoutes } from './routes/agents/agents.js';
import { annotationRoutes } from './routes/builds/annotations.js';
import { apiAccessTokenRoutes } from './routes/organizations/api-access-tokens.js';
import { artifactRoutes } from './routes/builds/artifacts.js';
import { auditEventRoutes } from './routes/organizations/audit-events.js';
import { buildRoutes } from './routes/builds/builds.js';
import { clusterRoutes } from './routes/agents/clusters.js';
import { emojiRoutes } from './routes/installation/emojis.js';
import { commitStatusRoutes } from './routes/builds/commit-statuses.js';
import { eventRoutes } from './routes/builds/events.js';
import { buildNotificationRoutes } from './routes/builds/notifications.js';
import { stepUploadRoutes } from './routes/builds/step-uploads.js';
import { insightRoutes } from './routes/organizations/insights.js';
import { invitationRoutes } from './routes/organizations/invitations.js';
import { jobRoutes } from './routes/builds/jobs.js';
import { logRoutes } from './routes/builds/logs.js';
import { metaRoutes } from './routes/installation/meta.js';
import { notificationServiceRoutes } from './routes/integrations/notification-services.js';
import { organizationRoutes } from './routes/organizations/organizations.js';
import { pipelineScheduleRoutes } from './routes/pipelines/pipeline-schedules.js';
import { pipelineTemplateRoutes } from './routes/pipelines/pipeline-templates.js';
import { pipelineTriggerRoutes } from './routes/pipelines/pipeline-triggers.js';
import { pipelineRoutes } from './routes/pipelines/pipelines.js';
import { queueRoutes } from './routes/agents/queues.js';
import { ruleRoutes } from './routes/agents/rules.js';
import { secretRoutes } from './routes/agents/secrets.js';
import { buildTestRoutes } from './routes/suites/build-tests.js';
import { suiteTestRoutes } from './routes/suites/suite-tests.js';
import { testOwnershipRoutes } from './routes/suites/test-ownership.js';
import { culpritSearchRoutes } from './routes/builds/culprit-searches.js';
import { testWorkflowRoutes } from './routes/suites/test-workflows.js';
import { testPlanRoutes } from './routes/suites/test-plans.js';
import { suiteRoutes } from './routes/suites/suites.js';
import { teamMemberRoutes } from './routes/organizations/team-members.js';
import { teamPipelineRoutes } from './routes/organizations/team-pipelines.js';
import { teamSuiteRoutes } from './routes/organizations/team-suites.js';
import { teamRoutes } from './routes/organizations/teams.js';
import { userRoutes } from './routes/organizations/user.js';
import { webhookDeliveryRoutes } from './routes/integrations/webhook-deliveries.js';
import { webhookRoutes } from './routes/pipelines/webhooks.js';

/**
 * THE table of the REST surface: every route of /v2 with its operation, one file a resource. The router and the
 * OpenAPI document are generated from it.
 */
export const routes: readonly Route[] = [
  ...userRoutes,
  ...organizationRoutes,
  ...insightRoutes,
  ...invitationRoutes,
  ...clusterRoutes,
  ...pipelineRoutes,
  ...buildRoutes,
  ...jobRoutes,
  ...logRoutes,
  ...eventRoutes,
  ...stepUploadRoutes,
  ...buildNotificationRoutes,
  ...notificationServiceRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
  ...teamPipelineRoutes,
  ...teamSuiteRoutes,
  ...pipelineTemplateRoutes,
  ...annotationRoutes,
  ...commitStatusRoutes,
  ...emojiRoutes,
  ...metaRoutes,
  ...suiteRoutes,
  ...suiteTestRoutes,
  ...testOwnershipRoutes,
  ...culpritSearchRoutes,
  ...testWorkflowRoutes,
  ...testPlanRoutes,
  ...buildTestRoutes,
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
