import type { Request, RequestHandler, Response } from 'express';
import { Problem } from '../../domain/problem.js';
import { problemOf, problemStatuses } from '../../http/problem-reply.js';
import type { Services } from '../../services/services.js';

/** An error in the words of OAuth, beside the sentence that every error of the product has. */
export class OauthError extends Error {
  constructor(
    readonly error: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** Answers a program in JSON, what is refused too (RFC 6749, section 5.2). `ofInvalid` names input that is wrong. */
export const answered =
  (
    services: Services,
    answer: (request: Request, response: Response) => Promise<{ status?: number; body: object }>,
    ofInvalid: (problem: Problem) => OauthError = ({ message }) => new OauthError('invalid_request', message),
  ): RequestHandler =>
  async (request, response) => {
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache', 'X-Content-Type-Options': 'nosniff' });
    try {
      const { status = 200, body } = await answer(request, response);
      response.status(status).json(body);
    } catch (error) {
      const refused = error instanceof OauthError ? error : refusalOf(response, problemOf(error), ofInvalid);
      if (!refused) throw error;
      const fields = { request_id: response.getHeader('X-Request-Id'), reason: refused.error };
      services.log.info(fields, 'a program got no access');
      const { status, message } = refused;
      response.status(status).json({ error: refused.error, error_description: message, message });
    }
  };

function refusalOf(
  response: Response,
  problem: Problem | null,
  ofInvalid: (problem: Problem) => OauthError,
): OauthError | null {
  if (!problem) return null;
  const { code, message, details } = problem;
  if (details.retryAfter !== undefined) response.set('Retry-After', String(details.retryAfter));
  if (code === 'invalid') return ofInvalid(problem);
  const status = problemStatuses[code];
  if (status === 429 || status === 503) return new OauthError('temporarily_unavailable', message, status);
  return new OauthError('invalid_request', message, status);
}
