import { limits } from '../limits/limits.js';

/** Protocol of a repository URL. */
export type RepositoryForm = 'https' | 'http' | 'ssh' | 'git' | 'scp' | 'file' | 'path';

/** Parts of a repository URL; `host` is null for a path on the agent's disk. */
export interface RepositoryUrl {
  form: RepositoryForm;
  host: string | null;
  port: number | null;
  /** Without slashes at the ends and without `.git`. */
  path: string;
}

const url = /^(https?|ssh|git(?:\+ssh)?|ssh\+git):\/\/(?:[^/@]*@)?(\[[0-9a-f:.]+\]|[^/:@[\]]+)(?::(\d{1,5}))?(\/.*)?$/i;
const scp = /^(?:[^/@:]+@)?(\[[0-9a-f:.]+\]|[^/:@[\]]+):(?!:)(.+)$/i;

function trim(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '');
}

function formOf(scheme: string): RepositoryForm {
  if (scheme === 'https' || scheme === 'http' || scheme === 'git') return scheme;
  return 'ssh';
}

/**
 * Takes a repository URL apart: `https`, `http`, `ssh` and `git` URLs, `user@host:owner/name.git`, `file://` and
 * paths (`/…`, `~/…`, `./…`, `../…`, `C:\…`). Null for anything else: git would read a leading hyphen as an option and
 * `name::address` as a program to run.
 */
export function parseRepositoryUrl(text: string): RepositoryUrl | null {
  if (text.length > limits.repositoryUrlLength || text.startsWith('-') || /\p{Cc}/u.test(text)) return null;
  const remote = url.exec(text);
  if (remote) {
    const [, scheme = '', host = '', port, path = ''] = remote;
    if (host.startsWith('-') || /\s/.test(host) || trim(path) === '') return null;
    return {
      form: formOf(scheme.toLowerCase()),
      host: host.toLowerCase(),
      port: port ? Number(port) : null,
      path: trim(path),
    };
  }
  if (/^file:\/\//i.test(text)) {
    const path = trim(text.slice(7));
    return path === '' ? null : { form: 'file', host: null, port: null, path };
  }
  if (/^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/])/.test(text)) {
    const path = trim(text);
    return path === '' ? null : { form: 'path', host: null, port: null, path };
  }
  const [, host = '', path = ''] = text.includes('://') ? [] : (scp.exec(text) ?? []);
  if (host === '' || host.startsWith('-') || /\s/.test(host) || trim(path) === '') return null;
  return { form: 'scp', host: host.toLowerCase(), port: null, path: trim(path) };
}

/** Returns the problem of a repository URL, or null. */
export function repositoryUrlProblem(text: string): string | null {
  if (text.trim() === '') return "can't be blank";
  return parseRepositoryUrl(text) === null ? 'is not a repository URL or path' : null;
}
