import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, realpathSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { WrongUsage } from '../wrong-usage.js';
import { firstLine } from '../../domain/first-line.js';

/** A commit of the working tree in a repository of its own. */
export interface Snapshot {
  /** The bare repository that jobs clone. */
  repository: string;
  /** Name of the folder of the working tree. */
  name: string;
  commit: string;
  branch: string;
  defaultBranch: string;
  message: string;
  author: { name: string; email: string };
  /** Files that differ from the last commit, untracked ones included. */
  changedFiles: number;
}

/** Set by git for hooks, such as one that runs before a push: they would point every command at other files. */
const repositoryVariables =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|PREFIX|NAMESPACE)$/;

const maxOutput = 256 * 1024 * 1024;

async function git(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !repositoryVariables.test(name));
  const { stdout } = await promisify(execFile)('git', [...args], {
    cwd,
    env: { ...Object.fromEntries(own), ...env },
    maxBuffer: maxOutput,
  });
  return stdout.trim();
}

/** Output of a git command, or null where it fails. */
const tryGit = (cwd: string, ...args: string[]) => git(cwd, args).catch(() => null);

/**
 * Returns the top folder of the working tree around `folder`.
 * @throws WrongUsage where there is none
 */
export async function findWorkingTree(folder: string): Promise<string> {
  try {
    return await git(folder, ['rev-parse', '--show-toplevel']);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') throw new WrongUsage('git is not installed on this machine');
    throw new WrongUsage(`${folder} is not in the working tree of a git repository; "git init" makes it one`);
  }
}

/**
 * Makes a commit of the working tree as it is, uncommitted and untracked files included and ignored ones left out, in a
 * new repository in `folder` that borrows the objects of the user's. Index, references, objects and files of the user's
 * repository stay as they are.
 */
export async function takeSnapshot(tree: string, folder: string): Promise<Snapshot> {
  const head = await tryGit(tree, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  const branch = (await tryGit(tree, 'symbolic-ref', '--short', '--quiet', 'HEAD')) ?? 'detached';
  const repository = realpathSync(folder) + '/source.git';
  await git(tree, ['init', '--quiet', '--bare', `--initial-branch=${branch}`, repository]);
  await borrowObjects(tree, repository);
  // All branches and tags, for steps that describe or compare commits.
  await git(repository, [
    'fetch',
    '--quiet',
    '--update-shallow',
    tree,
    '+refs/heads/*:refs/heads/*',
    '+refs/tags/*:refs/tags/*',
  ]);

  const author = await authorOf(tree);
  const identity = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const env = { GIT_DIR: repository, GIT_WORK_TREE: tree, GIT_INDEX_FILE: join(folder, 'index') };
  const content = await writeTree(tree, env);
  const parent = head === null ? [] : ['-p', head];
  const changed = head === null ? content : await git(tree, ['rev-parse', `${head}^{tree}`]);
  const subject = head === null ? 'Working tree' : await git(tree, ['log', '-1', '--format=%B', head]);
  if (head !== null && changed === content)
    return { ...(await facts(tree)), repository, commit: head, branch, message: subject, author, changedFiles: 0 };
  const message = head === null ? subject : `${firstLine(subject)} (with uncommitted changes)`;
  const commit = await git(tree, ['commit-tree', content, ...parent, '-m', message], { ...env, ...identity });
  await git(repository, ['update-ref', `refs/heads/${branch}`, commit]);
  const listing =
    head === null
      ? ['ls-tree', '-r', '--name-only', '-z', commit]
      : ['diff-tree', '-r', '--name-only', '-z', head, commit];
  const changedFiles = (await git(repository, listing)).split('\0').filter((name) => name !== '').length;
  return { ...(await facts(tree)), repository, commit, branch, message, author, changedFiles };
}

/** Lets the new repository read the objects of the user's, and know what its exclusions and its shallow ends are. */
async function borrowObjects(tree: string, repository: string): Promise<void> {
  const pathOf = async (name: string) => resolve(tree, await git(tree, ['rev-parse', '--git-path', name]));
  mkdirSync(join(repository, 'objects', 'info'), { recursive: true });
  writeFileSync(join(repository, 'objects', 'info', 'alternates'), `${await pathOf('objects')}\n`);
  for (const name of ['info/exclude', 'shallow']) {
    const path = await pathOf(name);
    if (existsSync(path)) copyFileSync(path, join(repository, name));
  }
}

/**
 * Writes every file of the working tree as a tree; beginning with a copy of the index spares reading unchanged files.
 */
async function writeTree(tree: string, env: Record<string, string> & { GIT_INDEX_FILE: string }): Promise<string> {
  const index = resolve(tree, await git(tree, ['rev-parse', '--git-path', 'index']));
  const write = async (from: string | null) => {
    if (from !== null) copyIndex(from, env.GIT_INDEX_FILE);
    else await git(tree, ['read-tree', '--empty'], env);
    await git(tree, ['add', '--all', '.'], env);
    return git(tree, ['write-tree'], env);
  };
  if (!existsSync(index)) return write(null);
  // A split index does not stand alone.
  return write(index).catch(() => write(null));
}

/**
 * Copies an index with its time: git reads a file again that changed when the index was written or later, and would
 * take every change for an earlier one.
 */
function copyIndex(from: string, to: string): void {
  const written = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, written, written);
}

async function facts(tree: string): Promise<Pick<Snapshot, 'name' | 'defaultBranch'>> {
  const remoteHead = await tryGit(tree, 'symbolic-ref', '--short', '--quiet', 'refs/remotes/origin/HEAD');
  return { name: basename(tree), defaultBranch: remoteHead?.replace(/^origin\//, '') ?? 'main' };
}

async function authorOf(tree: string): Promise<{ name: string; email: string }> {
  const [name, email] = await Promise.all([tryGit(tree, 'config', 'user.name'), tryGit(tree, 'config', 'user.email')]);
  return { name: name || 'slipway run', email: email || 'slipway-run@localhost' };
}
