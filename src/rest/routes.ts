import type { Route } from './route.js';
import { agentTokenRoutes } from './routes/agent-tokens.js';
import { agentRoutes } from './routes/agents.js';
import { buildRoutes } from './routes/builds.js';
import { clusterRoutes } from './routes/clusters.js';
import { jobRoutes } from './routes/jobs.js';
import { organizationRoutes } from './routes/organizations.js';
import { pipelineRoutes } from './routes/pipelines.js';
import { pipelineScheduleRoutes } from './routes/pipeline-schedules.js';
import { queueRoutes } from './routes/queues.js';
import { secretRoutes } from './routes/secrets.js';
import { userRoutes } from './routes/user.js';

/**
 * THE table of the REST surface: every route of /v2 with its operation, one file a resource. The router and the
 * OpenAPI document are generated from it.
 */
export const routes: readonly Route[] = [...userRoutes, ...organizationRoutes, ...agentRoutes, ...clusterRoutes, ...queueRoutes, ...agentTokenRoutes, ...secretRoutes, ...pipelineRoutes, ...pipelineScheduleRoutes, ...buildRoutes, ...jobRoutes];
