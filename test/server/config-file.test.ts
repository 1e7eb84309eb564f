import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/server/config.js';
import { ConfigError } from '../../src/services/config-error.js';
import { configFileName, readSettings } from '../../src/server/config-file.js';
import { temporaryDirectory } from '../support/directory.js';

describe('slipway.config.yaml', () => {
  const { path: directory, remove } = temporaryDirectory();
  afterAll(remove);
  const path = join(directory, configFileName);

  /** Reads the configuration with a file of this text. */
  const read = (text: string, env: Record<string, string> = {}) => {
    writeFileSync(path, text);
    const settings = readSettings(env, directory);
    return readConfig(settings.env, settings.origins);
  };
  const messageOf = (text: string, env: Record<string, string> = {}): string => {
    try {
      read(text, env);
      return '';
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.message.replaceAll(path, 'F');
    }
  };

  test('sets variables, and the environment wins unless its variable is empty', () => {
    const file = 'PORT: 4000\nbase_url: https://ci.example.com\nTRUSTED_PROXIES: [10.0.0.0/8, "::1"]\nMETRICS: false\n';
    expect(read(file)).toMatchObject({
      port: 4000,
      baseUrl: 'https://ci.example.com',
      trustedProxies: ['10.0.0.0/8', '::1'],
      metrics: false,
    });
    expect(read(file, { PORT: '5000', BASE_URL: '' })).toMatchObject({ port: 5000, baseUrl: 'https://ci.example.com' });
  });

  test('may be absent or empty', () => {
    expect(readSettings({ PORT: '1' }, join(directory, 'absent'))).toEqual({
      env: { PORT: '1' },
      origins: new Map(),
      file: null,
    });
    expect(read('# nothing\n').port).toBe(3000);
  });

  test('a value that is wrong is named by file, line and column, one from the environment without', () => {
    const message = messageOf('HOST: 0.0.0.0\nPORT:   http\nBASE_URL: https://a/b\n', { LOG_LEVEL: 'loud' });
    expect(message).toMatch(/^ {2}F:2:9: PORT: .*\(it is "http"\)$/m);
    expect(message).toMatch(/^ {2}F:3:11: BASE_URL: must be a scheme/m);
    expect(message).toMatch(/^ {2}LOG_LEVEL: /m);
    expect(messageOf('SECRET_KEY: hunter2\n')).toMatch(/F:1:13: SECRET_KEY: must be at least 32 characters$/m);
  });

  test.each([
    ['DATABSE_URL: x', 'F:1:1: there is no variable DATABSE_URL; the nearest is DATABASE_URL'],
    ['PATH: /bin', 'F:1:1: there is no variable PATH'],
    ['PORT: 1\nport: 2', 'F:2:7: PORT is set twice'],
    ['PORT: {a: 1}', 'F:1:7: PORT must be text, a number, true, false or a list of them'],
    ['- PORT', 'F:1:1: must be a map of variables'],
    ['PORT: "3000', 'F:2:1: Missing closing'],
  ])('%j is refused with its place', (text, message) => {
    expect(messageOf(`${text}\n`)).toContain(message);
  });
});
