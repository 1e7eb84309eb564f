import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSettings, textOf } from '../../src/commands/describe-settings.js';
import { readSettings } from '../../src/server/config-file.js';
import { temporaryDirectory } from '../support/directory.js';

describe('slipway config', () => {
  const { path: directory, remove } = temporaryDirectory();
  afterAll(remove);

  const describeWith = (file: string, env: Record<string, string>) => {
    writeFileSync(join(directory, 'slipway.config.yaml'), file);
    return describeSettings(readSettings(env, directory));
  };

  test('says what is in force and from where, and shows no secret', async () => {
    const { settings, warnings } = await describeWith(
      `PORT: 4000\nLOG_LEVEL: warn\nSECRET_KEY: ${'hunter2'.repeat(5)}\n`,
      { LOG_LEVEL: 'debug', DATABASE_URL: 'postgres://ada:hunter2@db.example.com/ci?password=hunter2' },
    );
    const file = `${directory}/slipway.config.yaml`;
    expect(settings).toEqual(
      expect.arrayContaining([
        { name: 'PORT', value: '4000', source: 'file', origin: `${file}:1:7` },
        { name: 'LOG_LEVEL', value: 'debug', source: 'environment' },
        { name: 'DATABASE_URL', value: 'postgres://ada:…@db.example.com/ci?…', source: 'environment' },
        { name: 'SECRET_KEY', value: '(hidden)', source: 'file', origin: `${file}:3:13` },
        { name: 'BASE_URL', value: 'http://127.0.0.1:4000', source: 'default' },
        { name: 'METRICS', value: true, source: 'default' },
      ]),
    );
    const text = textOf(settings, warnings);
    expect(text).toMatch(/^PORT +4000 +\/.*slipway\.config\.yaml:1:7$/m);
    expect(text + JSON.stringify(settings)).not.toContain('hunter2');
  });

  test('names the problems of the settings as a start would', async () => {
    await expect(describeWith('PORT: http\n', {})).rejects.toThrow(/slipway\.config\.yaml:1:7: PORT: /);
  });
});
