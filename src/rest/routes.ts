import type { Route } from './route.js';
import { buildRoutes } from './routes/builds.js';
import { clusterRoutes } from './routes/clusters.js';
import { jobRoutes } from './routes/jobs.js';
import { organizationRoutes } from './routes/organizations.js';
import { pipelineRoutes } from './routes/pipelines.js';
import { pipelineTriggerRoutes } from './routes/pipeline-triggers.js';
import { userRoutes } from './routes/user.js';
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.js';
import { webhookRoutes } from './routes/webhooks.js';

/**
 * THE table of the REST surface: every route of /v2 with its operation, one file a resource. The router and the
 * OpenAPI document are generated from it.
 */
export const routes: readonly Route[] = [...userRoutes, ...organizationRoutes, ...clusterRoutes, ...pipelineRoutes, ...buildRoutes, ...jobRoutes, ...webhookDeliveryRoutes, ...webhookRoutes, ...pipelineTriggerRoutes];
