import { z } from 'zod';
import { checkState } from '../../domain/integrations/check-run.js';
import type { CheckPublisher } from '../../services/source-providers.js';
import { encodedPath } from '../provider-api.js';
import type { ApiOf } from './github.js';

const reply = z.object({ id: z.number() });

/** Check runs of GitHub and GitHub Enterprise Server, which only Apps may make. */
export function githubChecks(apiOf: ApiOf): CheckPublisher {
  return {
    publish: async (run, id) => {
      const api = apiOf(run.repository);
      const { title, summary, text, annotations } = run;
      const state = checkState(run.outcome);
      const body = {
        name: run.name,
        external_id: run.externalId,
        ...state,
        ...(id === null ? { head_sha: run.commit } : {}),
        ...(run.linked ? { details_url: run.targetUrl } : {}),
        ...(run.startedAt === null ? {} : { started_at: run.startedAt }),
        ...(run.completedAt === null || state.conclusion === undefined ? {} : { completed_at: run.completedAt }),
        output: {
          title,
          summary,
          ...(text === null ? {} : { text }),
          ...(annotations.length > 0 ? { annotations } : {}),
        },
      };
      const path = `/repos/${encodedPath(run.repository)}/check-runs${id === null ? '' : `/${encodeURIComponent(id)}`}`;
      const answer = await api.expect({ method: id === null ? 'POST' : 'PATCH', path, body }, 201, 200);
      return { id: String(api.read(reply, answer).id), rateLimit: api.rateLimit(answer) };
    },
  };
}
