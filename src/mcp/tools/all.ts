import type { Tool } from '../tool.js';
import { buildTools } from './builds.js';
import { investigationTools } from './investigations.js';
import { logTools } from './logs.js';
import { otherTools } from './others.js';
import { skillTools } from './skills.js';
import { clusterTools, pipelineTools } from './pipelines.js';

/** Every tool, in the fixed order of the list: what says why a build failed comes first. */
export const tools: readonly Tool[] = [
  ...investigationTools,
  ...buildTools,
  ...logTools,
  ...pipelineTools,
  ...otherTools,
  ...clusterTools,
  ...skillTools,
];
