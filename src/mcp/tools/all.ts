import type { Tool } from '../tool.js';
import { agentTools } from './agents.js';
import { annotationTools } from './annotations.js';
import { artifactTools } from './artifacts.js';
import { buildTools } from './builds.js';
import { investigationTools } from './investigations.js';
import { logTools } from './logs.js';
import { clusterTools, pipelineTools } from './pipelines.js';
import { skillTools } from './skills.js';
import { testTools } from './tests.js';
import { userTools } from './user.js';

/** Every tool, in the fixed order of the list: what says why a build failed comes first. */
export const tools: readonly Tool[] = [
  ...investigationTools,
  ...buildTools,
  ...logTools,
  ...pipelineTools,
  ...userTools,
  ...agentTools,
  ...artifactTools,
  ...annotationTools,
  ...testTools,
  ...clusterTools,
  ...skillTools,
];
