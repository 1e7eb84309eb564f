import { z } from 'zod';
import { build, eachOf, job, pages, pick, routeTool, type Tool } from '../tool.js';

const ofBuild = '/organizations/{org}/pipelines/{slug}/builds/{number}';
const artifactFields = ['id', 'job_id', 'path', 'file_size', 'mime_type', 'state', 'sha1sum'];
const artifact = eachOf((each) => pick(each, artifactFields));

export const artifactTools: Tool[] = [
  routeTool({
    name: 'list_artifacts_for_build',
    toolset: 'artifacts',
    title: 'Artifacts of a build',
    description: 'Lists the artifacts of all jobs of a build.',
    input: { ...build, ...pages },
    method: 'get',
    path: `${ofBuild}/artifacts`,
    shape: artifact,
  }),
  routeTool({
    name: 'list_artifacts_for_job',
    toolset: 'artifacts',
    title: 'Artifacts of a job',
    description: 'Lists the artifacts of a job.',
    input: { ...job, ...pages },
    method: 'get',
    path: `${ofBuild}/jobs/{job}/artifacts`,
    shape: artifact,
  }),
  routeTool({
    name: 'get_artifact',
    toolset: 'artifacts',
    title: 'Artifact',
    description: 'Returns an address from which the artifact can be loaded without a token for a few minutes.',
    input: { ...job, artifact_id: z.string().describe('UUID of the artifact') },
    method: 'get',
    path: `${ofBuild}/jobs/{job}/artifacts/{artifact}/download`,
  }),
];
