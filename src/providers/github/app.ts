import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ProviderRefusal, type RepositoryToken } from '../../services/source-providers.js';
import { ProviderApi, type ProviderCalls } from '../provider-api.js';
import { githubHeaders } from './github.js';

/** GitHub refuses tokens from the future and tokens that last longer than ten minutes. */
const driftSeconds = 60;
const tokenSeconds = 9 * 60;
/** A token this close to its end is not used any more. */
const marginMs = 5 * 60_000;
const tokensAtMost = 5_000;

const installationReply = z.object({ id: z.number() });
const tokenReply = z.object({ token: z.string().min(1), expires_at: z.iso.datetime({ offset: true }) });

interface MintedToken {
  token: string;
  expiresAt: Date;
}

/** Tokens of all Apps of this process, so that a build of a hundred steps does not mint a hundred. */
export class AppTokens {
  private readonly minted = new LRUCache<string, Promise<MintedToken>>({ max: tokensAtMost });

  /** Returns the token under this key, or the one that `mint` makes if there is none or it is about to expire. */
  async get(key: string, now: () => Date, mint: () => Promise<MintedToken>): Promise<MintedToken> {
    const known = this.minted.get(key);
    if (known) {
      const token = await known.catch(() => null);
      if (token && token.expiresAt.getTime() - marginMs > now().getTime()) return token;
      if (this.minted.get(key) === known) this.minted.delete(key);
    }
    const next = this.minted.get(key) ?? mint();
    this.minted.set(key, next);
    next.catch(() => this.minted.get(key) === next && this.minted.delete(key));
    return next;
  }

  forget(key: string): boolean {
    return this.minted.delete(key);
  }
}

/** A GitHub App: signs requests as itself, and mints tokens of its installations. */
export class GithubApp {
  private readonly key: string;
  /** Requests as the App itself, which may look for installations and mint tokens. */
  readonly api: ProviderApi;

  constructor(
    private readonly calls: ProviderCalls,
    private readonly tokens: AppTokens,
    private readonly apiUrl: string,
    private readonly appId: string,
    private readonly privateKey: string,
  ) {
    this.key = createHash('sha256').update(`${apiUrl}\n${appId}\n${privateKey}`).digest('hex');
    this.api = new ProviderApi(calls, apiUrl, async () => ({
      ...githubHeaders,
      authorization: `Bearer ${await this.jwt()}`,
    }));
  }

  /** Requests to a repository, with a token of the installation that it belongs to. */
  repositoryApi(repository: string): ProviderApi {
    return this.tokenApi(`repository ${repository.toLowerCase()}`, () => this.mint(repository, {}));
  }

  /** Requests of an installation. */
  installationApi(id: number): ProviderApi {
    return this.tokenApi(`installation ${id}`, () => this.mintFor(id, {}));
  }

  /** A token that reads one repository and nothing else. */
  async repositoryToken(repository: string): Promise<RepositoryToken> {
    const [, name = ''] = repository.split('/');
    const { token, expiresAt } = await this.tokens.get(
      `${this.key} clone ${repository.toLowerCase()}`,
      () => this.calls.clock.now(),
      () => this.mint(repository, { repositories: [name], permissions: { contents: 'read' } }),
    );
    return { token, expiresAt, username: 'x-access-token' };
  }

  private tokenApi(name: string, mint: () => Promise<MintedToken>): ProviderApi {
    const key = `${this.key} ${name}`;
    return new ProviderApi(
      this.calls,
      this.apiUrl,
      async () => ({
        ...githubHeaders,
        authorization: `Bearer ${(await this.tokens.get(key, () => this.calls.clock.now(), mint)).token}`,
      }),
      () => this.tokens.forget(key),
    );
  }

  private async mint(repository: string, body: object): Promise<MintedToken> {
    const path = `/repos/${repository.split('/').map(encodeURIComponent).join('/')}/installation`;
    const reply = await this.api.send({ method: 'GET', path });
    if (reply.status === 404)
      throw new ProviderRefusal(`the App is not installed on ${repository}`, {
        kind: 'final',
        status: 404,
        waitMs: null,
      });
    if (reply.status !== 200) throw this.api.refusal(reply);
    return this.mintFor(this.api.read(installationReply, reply).id, body);
  }

  private async mintFor(installationId: number, body: object): Promise<MintedToken> {
    const path = `/app/installations/${installationId}/access_tokens`;
    const reply = await this.api.expect({ method: 'POST', path, body }, 201);
    const { token, expires_at: expiresAt } = this.api.read(tokenReply, reply);
    return { token, expiresAt: new Date(expiresAt) };
  }

  private jwt(): Promise<string> {
    const now = Math.floor(this.calls.clock.now().getTime() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuedAt(now - driftSeconds)
      .setExpirationTime(now + tokenSeconds)
      .setIssuer(this.appId)
      .sign(readKey(this.privateKey));
  }
}

/** Reads a key as GitHub hands it out (PKCS #1) or as PKCS #8. */
function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new ProviderRefusal('the private key of the App cannot be read', {
      kind: 'credential',
      status: null,
      waitMs: null,
    });
  }
}
