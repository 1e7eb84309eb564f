import { scopes } from '../domain/organizations/scopes.js';
import { toolScopes } from '../domain/organizations/oauth/requested-scopes.js';
import { deviceGrant } from './oauth/token.js';

/** What a program needs that asks people for access (RFC 8414). */
export const authorizationServer = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  device_authorization_endpoint: `${baseUrl}/oauth/device_authorization`,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', deviceGrant],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${baseUrl}/docs`,
});

/** What takes tokens, and where they come from (RFC 9728): `/mcp`, or everything that takes API tokens. */
export const protectedResource = (baseUrl: string, path: '/mcp' | '') => ({
  resource: `${baseUrl}${path}`,
  resource_name: 'Slipway',
  authorization_servers: [baseUrl],
  scopes_supported: path === '/mcp' ? toolScopes : scopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/docs`,
});
