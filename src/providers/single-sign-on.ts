import type * as OpenIdClient from 'openid-client';
import type { Outbound, SingleSignOn, SingleSignOnTrouble } from '../services/services.js';
import { ProviderRefusal } from '../services/source-providers.js';

export interface SingleSignOnSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** The provider's own description is read again after an hour. */
const describedForMs = 60 * 60_000;
const timeoutMs = 10_000;
/** Documents of keys and claims are small; more is not read. */
const replyBytes = 512 * 1024;

/**
 * OpenID Connect by the authorization code flow with PKCE, state and nonce. Every request to the provider goes through
 * the guarded client for outbound requests: its addresses come from a document that somebody else writes.
 */
export function openSingleSignOn(settings: SingleSignOnSettings, outbound: Outbound): SingleSignOn {
  let described: { configuration: Promise<OpenIdClient.Configuration>; until: number } | null = null;
  const configuration = (library: typeof OpenIdClient) => {
    if (!described || described.until < Date.now()) {
      const reading = describe(library, settings, outbound);
      described = { configuration: reading, until: Date.now() + describedForMs };
      reading.catch(() => (described = null));
    }
    return described.configuration;
  };
  return {
    check: async () => {
      try {
        await configuration(await load());
        return null;
      } catch (error) {
        return troubleOf(error);
      }
    },
    begin: (redirectUrl) =>
      orRefusal(async () => {
        const library = await load();
        const codeVerifier = library.randomPKCECodeVerifier();
        const attempt = { state: library.randomState(), nonce: library.randomNonce(), codeVerifier };
        const url = library.buildAuthorizationUrl(await configuration(library), {
          redirect_uri: redirectUrl,
          scope: 'openid email profile',
          code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          state: attempt.state,
          nonce: attempt.nonce,
        });
        return { url: url.href, attempt };
      }),
    finish: (returnedUrl, { state, nonce, codeVerifier }) =>
      orRefusal(async () => {
        const library = await load();
        const config = await configuration(library);
        const tokens = await library.authorizationCodeGrant(config, new URL(returnedUrl), {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new ProviderRefusal('the reply holds no ID token');
        // Some providers put the email address into the ID token, others only into the reply about the user.
        const about =
          claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? await library.fetchUserInfo(config, tokens.access_token, claims.sub)
            : claims;
        return {
          email: typeof about['email'] === 'string' ? about['email'] : null,
          // A few providers spell it as text.
          emailVerified: about['email_verified'] === true || String(about['email_verified']) === 'true',
          name: typeof about['name'] === 'string' ? about['name'] : null,
        };
      }),
  };
}

/** Loaded with the first sign-in, because most installations have none. */
const load = (): Promise<typeof OpenIdClient> => import('openid-client');

async function describe(
  library: typeof OpenIdClient,
  { issuer, clientId, clientSecret }: SingleSignOnSettings,
  outbound: Outbound,
): Promise<OpenIdClient.Configuration> {
  // Config allows http on this machine only.
  const insecure = issuer.startsWith('http:');
  const options: OpenIdClient.DiscoveryRequestOptions = {
    [library.customFetch]: guardedFetch(outbound),
    timeout: timeoutMs / 1000,
    ...(insecure ? { execute: [library.allowInsecureRequests] } : {}),
  };
  const configuration = await library.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
  const accepted = configuration.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (accepted.includes('client_secret_post')) return configuration;
  return library.discovery(new URL(issuer), clientId, clientSecret, library.ClientSecretBasic(clientSecret), options);
}

/** `fetch` by the outbound client: it follows no redirects, and bounds addresses, time and bytes. */
function guardedFetch(outbound: Outbound): OpenIdClient.CustomFetch {
  return async (url, { method, headers, body }) => {
    const reply = await outbound.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body === null || body === undefined ? {} : { body: textOf(body) }),
      replyBytes,
      timeoutMs,
    });
    const empty = reply.status === 204 || reply.status === 304;
    return new Response(empty ? null : reply.body, {
      status: reply.status,
      headers: reply.contentType ? { 'content-type': reply.contentType } : {},
    });
  };
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new ProviderRefusal('a request to the provider has a body that cannot be sent');
}

/** Network errors after which the same provider may answer without a change of the configuration. */
const passing = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

function troubleOf(error: unknown): SingleSignOnTrouble {
  const { message, code, cause } = error as Error & { code?: unknown };
  if (code === 'OAUTH_TIMEOUT') return { reason: 'it does not answer', lasting: false };
  if (cause instanceof Response)
    return {
      reason: `${message} (${cause.status} ${cause.headers.get('content-type') ?? ''})`,
      lasting: cause.status < 500,
    };
  const inner = cause instanceof Error ? (cause as NodeJS.ErrnoException) : null;
  const isSilent = inner?.name === 'TimeoutError' || inner?.code?.startsWith('UND_ERR_') === true;
  return { reason: inner?.message ?? message, lasting: !isSilent && !passing.has(inner?.code ?? '') };
}

/** Errors of the library say what was wrong with a reply, and hold no secret in their message. */
async function orRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderRefusal) throw error;
    const { message, cause, code } = error as Error & { code?: unknown };
    const inner = cause instanceof Error ? ` (${cause.message})` : '';
    throw new ProviderRefusal(`${typeof code === 'string' ? `${code}: ` : ''}${message}${inner}`.slice(0, 500));
  }
}
