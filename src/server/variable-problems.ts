import { isLoopbackHost } from '../domain/loopback-host.js';
import { openBackupPlace, openExportPlace, openStorage } from '../storage/open-storage.js';
import { StorageError } from '../storage/storage.js';
import { environment } from './variables.js';

/** Problems between variables that are each valid, a line each that begins with the name of one. */
export function* problemsBetween(variables: Record<string, string | undefined>): Generator<string> {
  if (variables['DATABASE_URL'] && !variables['SECRET_KEY']) {
    yield 'SECRET_KEY: required with DATABASE_URL (at least 32 characters, the same on every replica)';
  }
  if (variables['SECRET_KEY'] && variables['SECRET_KEY'] === variables['SECRET_KEY_PREVIOUS']) {
    yield 'SECRET_KEY_PREVIOUS: is the same as SECRET_KEY; it is for the other key while keys are exchanged';
  }
  if (!variables['DATABASE_URL'] && Number(variables['WORKERS']) > 1) {
    yield 'WORKERS: several processes need PostgreSQL (DATABASE_URL); the embedded database belongs to one';
  }
  if (!variables['DATABASE_URL'] && variables['DATABASE_READ_URL']) {
    yield 'DATABASE_READ_URL: needs PostgreSQL (DATABASE_URL); the embedded database has no replicas';
  }
  yield* problemsOfSingleSignOn(variables);
  yield* problemsOfStorage(variables);
  yield* problemsOfListening(variables);
  yield* problemsOfReports(variables);
  if (variables['SMTP_URL'] && !variables['MAIL_FROM'])
    yield 'MAIL_FROM: required with SMTP_URL: the address that mail comes from, such as ci@example.com';
  if (variables['MAIL_FROM'] && !variables['SMTP_URL'])
    yield 'SMTP_URL: required with MAIL_FROM: the mail server, such as smtps://user:password@mail.example.com';
  yield* problemsOfBackups(variables);
  yield* problemsOfExports(variables);
}

const tlsVariables = ['TLS_CERT', 'TLS_KEY'] as const;

function* problemsOfListening(variables: Record<string, string | undefined>): Generator<string> {
  const { HOST: host, BASE_URL: baseUrl } = variables;
  const missing = tlsVariables.filter((name) => !variables[name]);
  if (missing.length === 1) yield `${missing[0]}: required with the other file of the pair`;
  if (missing.length === 0 && baseUrl?.startsWith('http:'))
    yield 'BASE_URL: must begin with https:// because TLS_CERT is set, and the port speaks https alone';
  if (host?.startsWith('unix:') && !/^unix:\/./.test(host))
    yield 'HOST: a socket file needs its whole path: unix:/path';
  if (baseUrl) return;
  const why = reasonForBaseUrl(variables);
  if (why === null) return;
  yield (
    `BASE_URL: required because ${why}: set it to the address that people and agents use, such as ` +
    'https://ci.example.com'
  );
}

/** A host is the console's or that of reports, whose pages are other people's. */
function* problemsOfReports({ REPORTS_URL, BASE_URL }: Record<string, string | undefined>): Generator<string> {
  if (!REPORTS_URL || !environment.shape.REPORTS_URL.safeParse(REPORTS_URL).success) return;
  if (!BASE_URL) yield 'REPORTS_URL: needs BASE_URL, the other address of this server';
  else if (URL.canParse(BASE_URL) && new URL(BASE_URL).host === new URL(REPORTS_URL).host)
    yield 'REPORTS_URL: must have another host than BASE_URL: pages of reports must not share that of the console';
  if (BASE_URL?.startsWith('https:') && REPORTS_URL.startsWith('http:'))
    yield 'REPORTS_URL: must begin with https:// because BASE_URL does';
}

/** Why nobody else could use the default of BASE_URL; null where it is good. */
function reasonForBaseUrl({ HOST, LISTEN_FDS }: Record<string, string | undefined>): string | null {
  if (HOST?.startsWith('unix:')) return 'HOST is a socket file';
  if (LISTEN_FDS) return 'systemd listens for this process';
  return HOST && !isLoopbackHost(HOST) ? `HOST (${HOST}) is reached from other machines` : null;
}

function* problemsOfStorage({ STORAGE_URL, DATA_DIR = '.' }: Record<string, string | undefined>): Generator<string> {
  if (!STORAGE_URL || !environment.shape.STORAGE_URL.safeParse(STORAGE_URL).success) return;
  try {
    openStorage(STORAGE_URL, { dataDir: DATA_DIR });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    yield error.message;
  }
}

function* problemsOfBackups(variables: Record<string, string | undefined>): Generator<string> {
  const { BACKUP_TO } = variables;
  for (const name of ['BACKUP_SCHEDULE', 'BACKUP_KEEP', 'BACKUP_ENCRYPT_TO'])
    if (variables[name] && !BACKUP_TO) yield `${name}: has no effect without BACKUP_TO, the place of the backups`;
  if (!BACKUP_TO || !environment.shape.BACKUP_TO.safeParse(BACKUP_TO).success) return;
  try {
    openBackupPlace(BACKUP_TO, 'BACKUP_TO');
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    yield error.message;
  }
}

function* problemsOfExports({ BUILD_EXPORT_TO }: Record<string, string | undefined>): Generator<string> {
  if (!BUILD_EXPORT_TO || !environment.shape.BUILD_EXPORT_TO.safeParse(BUILD_EXPORT_TO).success) return;
  try {
    openExportPlace(BUILD_EXPORT_TO, 'BUILD_EXPORT_TO');
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    yield error.message;
  }
}

const oidcVariables = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

function* problemsOfSingleSignOn(variables: Record<string, string | undefined>): Generator<string> {
  const missing = oidcVariables.filter((name) => !variables[name]);
  if (missing.length < oidcVariables.length)
    for (const name of missing) yield `${name}: required with the other variables of single sign-on`;
  const issuer = variables['OIDC_ISSUER'];
  if (!issuer?.startsWith('http:') || !URL.canParse(issuer)) return;
  // Codes and the client's secret would cross the network in the clear.
  if (!isLoopbackHost(new URL(issuer).hostname.replace(/^\[(.*)\]$/, '$1')))
    yield 'OIDC_ISSUER: must begin with https:// unless it is on this machine';
}
