import type { ListedCommit } from '../domain/builds/culprit/bounds.js';
import type { WantedCheck } from '../domain/integrations/check-run.js';
import type { ConnectionProvider } from '../domain/integrations/provider-connection.js';
import type { ProviderRateLimit, RefusalFacts } from '../domain/integrations/provider-refusal.js';
import type { StatusOutcome } from '../domain/integrations/status-outcome.js';

/** A pasted token, with the name of its account where the host wants both; or an App, which mints tokens. */
export type ProviderCredential =
  { kind: 'token'; token: string; username: string | null } | { kind: 'app'; appId: string; privateKey: string };

/** Address and credential for calls to a source provider: an unsealed connection. */
export interface ProviderAccess {
  connectionId: string;
  provider: ConnectionProvider;
  /** Root URL of the provider's API, without a trailing slash. */
  apiUrl: string;
  credential: ProviderCredential;
}

/** State of a build or step, published on a commit at its provider. */
export interface CommitStatus {
  /** Path of the repository, such as `owner/name`. */
  repository: string;
  commit: string;
  /** Branch of the build; providers group statuses by it. */
  branch: string | null;
  outcome: StatusOutcome;
  context: string;
  description: string;
  /** Page of the build. */
  targetUrl: string;
  /** Whether the page can be reached from elsewhere: no loopback address is published unless a link is required. */
  linked: boolean;
}

/** Publishes statuses of commits. The same context again replaces what was published before. */
export interface StatusPublisher {
  publish(status: CommitStatus): Promise<{ rateLimit: ProviderRateLimit | null }>;
}

/** Webhooks at a repository. Both methods are called by a request that waits, and take seconds at most. */
export interface ProviderWebhooks {
  /** Creates a webhook for all events that build; resolves to its id at the provider. */
  create(webhook: { repository: string; url: string; secret: string }): Promise<{ externalId: string }>;
  /** Deletes a webhook; succeeds if it is already gone. */
  delete(webhook: { repository: string; externalId: string }): Promise<void>;
}

/** Commits of a branch after one commit, up to another. */
export interface CommitRange {
  repository: string;
  /** The commit before the first one. */
  after: string;
  upTo: string;
}

/** Reads of a repository that find pushes without a delivery, and the commits of one that turned a branch red. */
export interface ProviderBranches {
  /** Head commit of each branch; at most 2,000 branches. */
  heads(repository: string): Promise<Record<string, string>>;
  commit(
    repository: string,
    sha: string,
  ): Promise<{ message: string; author: { name: string | null; email: string | null } }>;
  /**
   * Commits back from `upTo`, newest first: at least until first parents lead to `after`, and at most 2,000, which may
   * not lead that far.
   */
  commits(range: CommitRange): Promise<ListedCommit[]>;
}

export interface ProviderRepository {
  fullName: string;
  htmlUrl: string;
  cloneUrl: string;
  /** Null for an empty repository. */
  defaultBranch: string | null;
}

export interface ProviderRepositories {
  /** Repositories that the credential reaches, at most 100; `search` is part of a name. */
  list(search: string | null): Promise<ProviderRepository[]>;
}

/** A credential for git that opens one repository. */
export interface RepositoryToken {
  token: string;
  /** User name that git sends with the token. */
  username: string;
  expiresAt: Date;
}

export interface ProviderRepositoryTokens {
  /** Mints a token that reads one repository for an hour at most; handed out again until shortly before its end. */
  mint(repository: string): Promise<RepositoryToken>;
}

/** A check run of a build or step, with the annotations of one request. */
export interface CheckRun extends WantedCheck {
  repository: string;
  commit: string;
  outcome: StatusOutcome;
  /** Page of the build. */
  targetUrl: string;
  /** As of a commit status. */
  linked: boolean;
}

/** Publishes check runs of commits. */
export interface CheckPublisher {
  /** Creates a check run, or changes the one with this id, to which it adds the annotations. */
  publish(run: CheckRun, id: string | null): Promise<{ id: string; rateLimit: ProviderRateLimit | null }>;
}

/** What a connection is good for, as the host says. */
export interface ConnectionReport {
  /** Account that the credential belongs to. */
  account: string | null;
  /** Scopes or permissions (`statuses:write`) that the host reports; null if it does not report any. */
  permissions: string[] | null;
  /** Whether each ability is granted; null where the host does not tell before it is tried. */
  may: { publishStatuses: boolean | null; manageWebhooks: boolean | null; readRepositories: boolean | null };
  expiresAt: Date | null;
  rateLimit: ProviderRateLimit | null;
}

/**
 * A connected source provider. A capability that the host or the credential lacks is null. Every method of every
 * capability rejects with {@link ProviderRefusal} if the provider refuses or does not reply in time.
 *
 * A new capability is an interface in this file, a member here, and a file in each folder of `src/providers` whose host
 * has it.
 */
export interface SourceProvider {
  /** Asks the host whether the credential works and what it may do. */
  check(): Promise<ConnectionReport>;
  readonly statuses: StatusPublisher;
  readonly branches: ProviderBranches;
  readonly repositories: ProviderRepositories;
  readonly webhooks: ProviderWebhooks;
  /** Null unless the credential is an App. */
  readonly repositoryTokens: ProviderRepositoryTokens | null;
  /** Null unless the credential is an App. */
  readonly checks: CheckPublisher | null;
}

/** The source providers, implemented over HTTP in `src/providers`, one folder a provider. */
export interface Providers {
  open(access: ProviderAccess): SourceProvider;
}

const unreachable: RefusalFacts = { kind: 'unreachable', status: null, waitMs: null };

/** A provider refused a call or did not reply in time. `reason` is for logs and users and never holds a secret. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';

  constructor(
    readonly reason: string,
    readonly facts: RefusalFacts = unreachable,
    readonly rateLimit: ProviderRateLimit | null = null,
  ) {
    super(`the source provider refused: ${reason}`);
  }
}
