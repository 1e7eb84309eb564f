import { perform } from '../../core/operation.js';
import { requestedScopes } from '../../domain/organizations/oauth/requested-scopes.js';
import { limits } from '../../domain/limits/limits.js';
import { showUserCode } from '../../domain/organizations/oauth/user-code.js';
import { beginDevice } from '../../operations/organizations/oauth/begin-device.js';
import { countOauthStep } from '../../operations/organizations/oauth/count-step.js';
import { exchangeCode } from '../../operations/organizations/oauth/exchange-code.js';
import { exchangeDevice } from '../../operations/organizations/oauth/exchange-device.js';
import { findOauthClient } from '../../operations/organizations/oauth/find-client.js';
import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import { readForm, signInContext } from '../sign-in/request.js';
import { answered, OauthError } from './answers.js';
import { isOwnResource, neededOf, parameterOf } from './parameters.js';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** `/oauth/token`: a program gets its token, for the code of a browser or of a device. */
export const giveToken = (services: Services) =>
  answered(services, async (request, response) => {
    const context = signInContext(services, request, response);
    await perform(countOauthStep, context, { step: 'token' });
    const form = await readForm(request);
    const grant = neededOf(form, 'grant_type');
    if (grant !== 'authorization_code' && grant !== deviceGrant)
      throw new OauthError('unsupported_grant_type', `grant_type must be authorization_code or ${deviceGrant}`);
    const client = await knownClient(context, form);
    const exchange =
      grant === deviceGrant
        ? await perform(exchangeDevice, context, { client, deviceCode: neededOf(form, 'device_code') })
        : await perform(exchangeCode, context, { client, ...proofIn(services, form) });
    if ('refused' in exchange) throw new OauthError(exchange.refused, exchange.description);
    const { token, scopes, seconds } = exchange;
    return { body: { access_token: token, token_type: 'Bearer', expires_in: seconds, scope: scopes.join(' ') } };
  });

function proofIn({ baseUrl }: Services, form: URLSearchParams) {
  const resource = parameterOf(form, 'resource');
  if (resource !== null && !isOwnResource(baseUrl, resource))
    throw new OauthError('invalid_target', `resource is not of ${baseUrl}`);
  return {
    code: neededOf(form, 'code'),
    redirectUri: neededOf(form, 'redirect_uri'),
    codeVerifier: neededOf(form, 'code_verifier'),
    resource,
  };
}

/** The `client_id` of a program that is known; a program that is not must register anew. */
async function knownClient(context: Context, form: URLSearchParams): Promise<string> {
  const id = neededOf(form, 'client_id').slice(0, 300);
  const { client } = await perform(findOauthClient, context, { id });
  if (!client) throw new OauthError('invalid_client', 'The program is not known here, or not any more', 401);
  return client.id;
}

/** `/oauth/device_authorization`: a program without a browser gets a code that a person types elsewhere (RFC 8628). */
export const giveDeviceCode = (services: Services) =>
  answered(services, async (request, response) => {
    const context = signInContext(services, request, response);
    await perform(countOauthStep, context, { step: 'begin' });
    const form = await readForm(request);
    const client = await knownClient(context, form);
    const scopes = requestedScopes(parameterOf(form, 'scope'));
    if (scopes.length === 0) throw new OauthError('invalid_scope', 'scope names none that a token can have');
    const { deviceCode, userCode } = await perform(beginDevice, context, { client, scopes });
    const page = `${services.baseUrl}/oauth/device`;
    const body = {
      device_code: deviceCode,
      user_code: showUserCode(userCode),
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${showUserCode(userCode)}`,
      expires_in: limits.oauthDeviceMinutes * 60,
      interval: limits.oauthDeviceSeconds,
    };
    return { body };
  });
