import { Router } from 'express';
import { pipelineFileSchema } from '../domain/pipelines/file-schema/pipeline-file.js';

/** `GET /pipeline-schema.json`: the JSON schema of pipeline files, for editors anywhere and without a credential. */
export function pipelineSchemaRouter(): Router {
  const body = JSON.stringify(pipelineFileSchema);
  const router = Router();
  router.get('/', (_request, response) => {
    response
      .set({ 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' })
      .type('application/schema+json')
      .send(body);
  });
  return router;
}
