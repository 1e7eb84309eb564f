import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import request from 'supertest';
import { temporarySigningKey } from './signing-key.js';

/** A person as the provider knows them. */
export interface ProvidedPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

const client = { clientId: 'slipway', clientSecret: 'a secret of the provider and of us' };

/** A real OpenID Connect provider on a port of this machine, whose people sign in without a form. */
export class OidcProvider {
  readonly people = new Map<string, ProvidedPerson>();

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  /** Starts a provider that sends people back to these addresses only. */
  static async open(redirectUrls: string[], configuration: Configuration = {}): Promise<OidcProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const opened = new OidcProvider(server, issuer);
    const provider = new Provider(issuer, {
      clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: redirectUrls }],
      jwks: { keys: [temporarySigningKey()] },
      cookies: { keys: ['a key of the cookies'] },
      claims: { email: ['email', 'email_verified'], profile: ['name'] },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      // The page of the tests' people: whoever is named in `login_hint` has signed in and agreed.
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      features: { devInteractions: { enabled: false } },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...opened.people.get(id) }),
      }),
      ...configuration,
    });
    server.on('request', (incoming, outgoing) => {
      if (!incoming.url?.startsWith('/interaction/')) return void provider.callback()(incoming, outgoing);
      void finishInteraction(provider, incoming.headers['x-person'] as string, [incoming, outgoing]);
    });
    return opened;
  }

  get settings() {
    return { issuer: this.issuer, ...client };
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Follows the provider's pages as a person until it sends the browser back; resolves to that address. */
  async visit(address: string, person: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = address;
    for (let step = 0; step < 10; step += 1) {
      const { pathname, search } = new URL(next, this.issuer);
      const reply = await request(this.server)
        .get(pathname + search)
        .redirects(0)
        .set({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), 'x-person': person });
      for (const line of (reply.get('Set-Cookie') ?? []) as string[]) {
        const [pair = ''] = line.split(';', 1);
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const location = reply.headers['location'] as string | undefined;
      if (location === undefined) throw new Error(`the provider answered ${reply.status}: ${reply.text}`);
      next = location;
      if (!new URL(next, this.issuer).href.startsWith(this.issuer)) return next;
    }
    throw new Error('the provider sends its visitors around in circles');
  }
}

type Exchange = Parameters<Provider['interactionDetails']>;

async function finishInteraction(provider: Provider, accountId: string, exchange: Exchange): Promise<void> {
  const { prompt, params, grantId } = await provider.interactionDetails(...exchange);
  if (accountId === 'refused') {
    await provider.interactionFinished(...exchange, { error: 'access_denied' });
    return;
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(...exchange, { login: { accountId } });
    return;
  }
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId, clientId: String(params['client_id']) });
  grant?.addOIDCScope('openid email profile');
  await provider.interactionFinished(
    ...exchange,
    { consent: { grantId: await grant?.save() } },
    { mergeWithLastSubmission: true },
  );
}
