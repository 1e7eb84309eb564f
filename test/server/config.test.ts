import { ConfigError, readConfig } from '../../src/config.js';

const messageOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
};

describe('the configuration', () => {
  test('all problems are reported in one message, also those between variables', () => {
    const message = messageOf({
      PORT: 'x',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://a/b',
      OUTBOUND_ALLOW: '10.0.0.0/8,nowhere',
      SECRET_KEY_PREVIOUS: 'short',
      STORAGE_URL: 'ftp://x',
    });
    for (const name of ['PORT', 'BASE_URL', 'SECRET_KEY', 'OUTBOUND_ALLOW', 'SECRET_KEY_PREVIOUS', 'STORAGE_URL'])
      expect(message).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  });

  test.each(['0.0.0.0', '::', '192.168.1.4', 'ci.example.com'])(
    'a server that listens on HOST=%s, reachable by others, requires BASE_URL',
    (host) => {
      expect(messageOf({ HOST: host })).toContain('BASE_URL: required');
      expect(messageOf({ HOST: host, BASE_URL: 'https://ci.example.com' })).toBe('');
    },
  );

  test.each(['127.0.0.1', '127.1.1.1', '::1', 'localhost'])('a server that listens on %s needs no BASE_URL', (host) => {
    expect(messageOf({ HOST: host })).toBe('');
  });

  test('a problem shows the value of its variable, except for variables that hold credentials', () => {
    const message = messageOf({
      PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://ada:hunter2@db/x',
      SECRET_KEY: 'short-secret',
    });
    expect(message).toContain('(it is "99999")');
    expect(message).toContain('(it is "loud")');
    expect(message).toMatch(/DATABASE_URL: .*\n/);
    expect(message).not.toMatch(/hunter2|short-secret/);
  });

  test('the previous secret key must differ from the present one', () => {
    const key = 'k'.repeat(40);
    expect(messageOf({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: key })).toContain('SECRET_KEY_PREVIOUS: is the same');
    expect(readConfig({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: 'p'.repeat(40) })).toMatchObject({
      secretKey: key,
      secretKeyPrevious: 'p'.repeat(40),
    });
  });

  test('single sign-on needs its three variables, an issuer over https, and shows no secret', () => {
    const settings = {
      OIDC_ISSUER: 'https://id.example.com',
      OIDC_CLIENT_ID: 'slipway',
      OIDC_CLIENT_SECRET: 'hunter2',
    };
    expect(readConfig(settings).singleSignOn).toEqual({
      issuer: 'https://id.example.com',
      clientId: 'slipway',
      clientSecret: 'hunter2',
    });
    expect(readConfig({}).singleSignOn).toBeNull();
    expect(messageOf({ OIDC_CLIENT_SECRET: 'hunter2' })).toMatch(/OIDC_ISSUER: required[^]*OIDC_CLIENT_ID: required/);
    const insecure = messageOf({ ...settings, OIDC_ISSUER: 'http://id.example.com' });
    expect(insecure).toContain('OIDC_ISSUER: must begin with https://');
    expect(insecure).not.toContain('hunter2');
    expect(messageOf({ ...settings, OIDC_ISSUER: 'http://127.0.0.1:9000' })).toBe('');
  });
});
