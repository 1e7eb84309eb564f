import { join } from 'node:path';

const newFlag = 'BUILDKITE_USE_REPOSITORY_PROVIDER_GIT_CREDENTIALS';
/** Flag of agents before 3.136, which is for GitHub only. */
const oldFlag = 'BUILDKITE_USE_GITHUB_APP_GIT_CREDENTIALS';
const sshOfGithub = 'git@github.com:';

/**
 * Has git ask the server for credentials, in a job whose environment wants it: `buildkite-agent git-credentials-helper`
 * becomes the only credential helper, and is told the path of the repository. Through variables, not through the
 * configuration file of a user, so that it ends with the job. Repositories of GitHub that are written as for SSH are
 * fetched over HTTPS, where there are credentials.
 */
export function useRepositoryCredentials(env: Record<string, string>, binPath: string): boolean {
  const isOld = env[oldFlag] === 'true';
  if (!isOld && env[newFlag] !== 'true') return false;
  const helper = join(binPath, 'buildkite-agent').replaceAll("'", `'\\''`);
  const settings: [key: string, value: string][] = [
    ['credential.useHttpPath', 'true'],
    // The empty value forgets the helpers before, which may hold credentials of another repository.
    ['credential.helper', ''],
    ['credential.helper', `!'${helper}' git-credentials-helper`],
  ];
  if (isOld || (env['BUILDKITE_REPO'] ?? '').startsWith(sshOfGithub))
    settings.push(['url.https://github.com/.insteadOf', sshOfGithub]);
  let count = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  for (const [key, value] of settings) {
    env[`GIT_CONFIG_KEY_${count}`] = key;
    env[`GIT_CONFIG_VALUE_${count}`] = value;
    count += 1;
  }
  env['GIT_CONFIG_COUNT'] = String(count);
  return true;
}
