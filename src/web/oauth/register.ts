import type { Request } from 'express';
import { perform } from '../../core/operation.js';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import { readBody } from '../../http/body.js';
import { countOauthStep } from '../../operations/organizations/oauth/count-step.js';
import { registerOauthClient } from '../../operations/organizations/oauth/register-client.js';
import type { Services } from '../../services/services.js';
import { signInContext } from '../sign-in/request.js';
import { answered, OauthError } from './answers.js';

/** `/oauth/register`: a program makes itself known (RFC 7591). It gets no secret: it could not keep one. */
export const register = (services: Services) =>
  answered(
    services,
    async (request, response) => {
      const context = signInContext(services, request, response);
      await perform(countOauthStep, context, { step: 'begin' });
      const metadata = await readMetadata(request);
      const client = await perform(registerOauthClient, context, {
        name: metadata['client_name'],
        redirectUris: metadata['redirect_uris'],
      });
      const body = {
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
      return { status: 201, body };
    },
    wrongMetadata,
  );

async function readMetadata(request: Request): Promise<Record<string, unknown>> {
  if (!request.is('application/json'))
    throw new Problem('unsupported_media_type', 'The metadata of the program is sent as application/json');
  const text = (await readBody(request, { bytes: limits.oauthBodyBytes })).toString('utf8');
  try {
    const metadata: unknown = JSON.parse(text);
    if (typeof metadata === 'object' && metadata !== null) return metadata as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new OauthError('invalid_client_metadata', 'The metadata of the program must be a JSON object');
}

function wrongMetadata({ details: { fields = [] } }: Problem): OauthError {
  const [first = { field: 'name', code: 'is wrong' }] = fields;
  return first.field.startsWith('redirectUris')
    ? new OauthError('invalid_redirect_uri', `redirect_uris: ${first.code}`)
    : new OauthError('invalid_client_metadata', `client_name: ${first.code}`);
}
