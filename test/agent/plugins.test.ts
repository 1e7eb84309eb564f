import { pluginEnvironment } from '../../src/agent/plugins/plugin-environment.js';
import { fullSource, pluginName, pluginRepository, readPlugins } from '../../src/agent/plugins/plugin.js';

const one = (source: string, configuration: unknown = null) => {
  const [plugin] = readPlugins(JSON.stringify([{ [source]: configuration }]));
  if (!plugin) throw new Error('no plugin');
  return plugin;
};

describe('the plugins of a step', () => {
  test.each([
    ['docker', 'github.com/buildkite-plugins/docker-buildkite-plugin'],
    ['docker#v5.1.0', 'github.com/buildkite-plugins/docker-buildkite-plugin#v5.1.0'],
    ['acme/thing#main', 'github.com/acme/thing-buildkite-plugin#main'],
    ['github.com/acme/thing#v1', 'github.com/acme/thing#v1'],
    ['https://gitlab.com/acme/thing.git#v1', 'https://gitlab.com/acme/thing.git#v1'],
    ['ssh://git@example.com/thing.git', 'ssh://git@example.com/thing.git'],
    ['./.buildkite/plugins/x', './.buildkite/plugins/x'],
    ['/opt/plugins/x', '/opt/plugins/x'],
  ])('%s stands for %s', (source, full) => {
    expect(fullSource(source)).toBe(full);
  });

  test.each([
    ['docker#v5', 'https://github.com/buildkite-plugins/docker-buildkite-plugin', '', 'docker'],
    ['github.com/acme/many/docker-thing#v5', 'https://github.com/acme/many', 'docker-thing', 'docker-thing'],
    [
      'ssh://git@github.com/acme/x-buildkite-plugin.git#v1',
      'ssh://git@github.com/acme/x-buildkite-plugin.git',
      '',
      'x',
    ],
    ['https://ada:pw@example.com/a/b.git/c/d#v1', 'https://ada:pw@example.com/a/b.git', 'c/d', 'd'],
    ['gitlab.com/group/sub/x', 'https://gitlab.com/group/sub/x', '', 'x'],
    ['file:///srv/git/my-buildkite-plugin.git#v1', '/srv/git/my-buildkite-plugin.git', '', 'my'],
  ])('%s is cloned from %s', (source, url, folder, name) => {
    expect(pluginRepository(one(source))).toEqual({ url, folder });
    expect(pluginName(one(source))).toBe(name);
  });

  test.each([
    ['not JSON', '[', 'not JSON'],
    ['no list', '{"docker#v1": null}', 'not a list'],
    ['a number', '[3]', '3 is not the name of a plugin'],
    ['a configuration that is no object', '[{"docker#v1": "x"}]', 'is not an object'],
    ['two versions', '["docker#v1#v2"]', 'more than one version'],
    ['a version that git takes for an option', '["docker#--upload-pack=x"]', 'begins with a dash'],
    ['an archive', '["zip+https://example.com/x.zip"]', 'only git is supported'],
  ])('%s is refused', (_, json, message) => {
    expect(() => readPlugins(json)).toThrow(message);
  });

  test('a configuration becomes variables by key and index', () => {
    const configuration = {
      image: 'node:22',
      'always-pull': true,
      retries: 3,
      'mount checkout': null,
      volumes: ['a:b', 'c:d'],
      nested: { 'some-key': [{ deep: 'x' }] },
    };
    expect(pluginEnvironment(one('docker-compose#v1', configuration))).toEqual({
      BUILDKITE_PLUGIN_NAME: 'DOCKER_COMPOSE',
      BUILDKITE_PLUGIN_CONFIGURATION: JSON.stringify(configuration),
      BUILDKITE_PLUGIN_DOCKER_COMPOSE_IMAGE: 'node:22',
      BUILDKITE_PLUGIN_DOCKER_COMPOSE_ALWAYS_PULL: 'true',
      BUILDKITE_PLUGIN_DOCKER_COMPOSE_RETRIES: '3',
      BUILDKITE_PLUGIN_DOCKER_COMPOSE_VOLUMES_0: 'a:b',
      BUILDKITE_PLUGIN_DOCKER_COMPOSE_VOLUMES_1: 'c:d',
      BUILDKITE_PLUGIN_DOCKER_COMPOSE_NESTED_SOME_KEY_0_DEEP: 'x',
    });
  });
});
