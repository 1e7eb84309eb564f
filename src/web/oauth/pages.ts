import type { Request, RequestHandler, Response } from 'express';
import { problemOf, problemStatuses } from '../../http/problem-reply.js';
import type { Services } from '../../services/services.js';
import { sendFormPage } from '../form-page.js';
import { escapeHtml } from '../page.js';

/** Sends a page that says why a program gets no access. */
export function sendRefusal(response: Response, status: number, text: string): void {
  sendFormPage(response, status, 'No access', `<p class="error" role="alert">${escapeHtml(text)}</p>`);
}

/** Answers what is refused with a page. */
export const guarded =
  (services: Services, page: (request: Request, response: Response) => Promise<void>): RequestHandler =>
  async (request, response) => {
    try {
      await page(request, response);
    } catch (error) {
      const problem = problemOf(error);
      if (!problem) throw error;
      const { code, message, details } = problem;
      if (details.retryAfter !== undefined) response.set('Retry-After', String(details.retryAfter));
      services.log.info({ request_id: response.getHeader('X-Request-Id'), reason: code }, 'a program got no access');
      sendRefusal(response, problemStatuses[code], message);
    }
  };
