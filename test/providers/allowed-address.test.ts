import { systemClock } from '../../src/services/clock.js';
import { ProviderRefusal } from '../../src/services/source-providers.js';
import { loopbackNetworks } from '../../src/domain/loopback-host.js';
import { addressRule, guardedLookup } from '../../src/providers/allowed-address.js';
import { openProviders } from '../../src/providers/open-providers.js';
import { openOutbound } from '../../src/providers/outbound.js';
import { Receiver } from '../support/receiver.js';

const outside = addressRule([]);

describe('where outbound requests may go', () => {
  test.each([
    '140.82.121.6',
    '8.8.8.8',
    '2606:50c0::1',
    '2a00:1450:4001::200e',
    '::ffff:140.82.121.6',
    '64:ff9b::8c52:7906',
    '[2606:50c0::1]',
  ])('the address %s is public and allowed', (address) => {
    expect(outside(address)).toBe(true);
  });

  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.1.2.3'],
    ['loopback', '::1'],
    ['loopback', '[::1]'],
    ['unspecified', '0.0.0.0'],
    ['unspecified', '::'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.5'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.4'],
    ['unique local', 'fd00::1'],
    ['site local', 'fec0::1'],
    ['shared by a carrier', '100.64.0.1'],
    ['link-local', '169.254.1.1'],
    ['link-local', 'fe80::1'],
    ['link-local', 'fe80::1%eth0'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '203.0.113.9'],
    ['documentation', '2001:db8::1'],
    ['discarded', '100::1'],
    ['metadata of a cloud', '169.254.169.254'],
    ['metadata of a cloud', 'fd00:ec2::254'],
    ['metadata of a cloud', 'fd20:ce::254'],
    ['metadata of a cloud', '100.100.100.200'],
    ['metadata of a cloud', '168.63.129.16'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped', '::ffff:a9fe:a9fe'],
    ['IPv4-mapped', '::ffff:168.63.129.16'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-compatible', '::10.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['NAT64', '64:ff9b::a83f:8110'],
    ['NAT64 of a local prefix', '64:ff9b:1::7f00:1'],
    ['translated', '::ffff:0:127.0.0.1'],
    ['6to4', '2002:7f00:1::1'],
    ['6to4', '2002:a9fe:a9fe::1'],
    ['Teredo', '2001:0:7f00:1::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
    ['ISATAP', '2606:50c0::5efe:127.0.0.1'],
    ['no address', 'nowhere'],
    ['no address', ''],
    ['no dotted quad', '2130706433'],
    ['no dotted quad', '0x7f.1'],
    ['no dotted quad', '127.1'],
  ])('a %s address is refused: %s', (_kind, address) => {
    expect(outside(address)).toBe(false);
  });

  test.each([
    [
      '10.0.0.0/8',
      ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3'],
      ['11.0.0.1.1', '192.168.0.1', '::10.1.2.3', '2002:a01:203::1'],
    ],
    ['127.0.0.1', ['127.0.0.1', '::ffff:127.0.0.1'], ['127.0.0.2', '::1', '::7f00:1']],
    ['fd00::/8', ['fd00::1', 'fd12:3456::1'], ['fc00::1', '10.0.0.1']],
    ['::1', ['::1'], ['127.0.0.1', '::2']],
    ['168.63.129.16', ['168.63.129.16'], ['169.254.169.254']],
  ])('OUTBOUND_ALLOW=%s allows exactly the networks it names', (network, reached, refused) => {
    const rule = addressRule([network]);
    expect(reached.map((address) => rule(address))).toEqual(reached.map(() => true));
    expect(refused.map((address) => rule(address))).toEqual(refused.map(() => false));
    expect(rule('140.82.121.6')).toBe(true);
  });

  test('a host name is looked up for each connection and refused when none of its addresses is allowed', async () => {
    const lookup = (allow: readonly string[]) =>
      new Promise<Error | null>((resolve) =>
        guardedLookup(addressRule(allow))('localhost', { all: true }, (error) => resolve(error)),
      );
    expect(await lookup([])).toMatchObject({ message: expect.stringContaining('OUTBOUND_ALLOW') });
    expect(await lookup(loopbackNetworks)).toBeNull();
  });

  test('a receiver on this machine is unreachable unless allowed, also through a redirect', async () => {
    const receiver = await Receiver.open();
    const outbound = openOutbound({ allow: [] });
    const local = receiver.url;
    const elsewhere = [
      'http://[::7f00:1]:9/',
      'http://[::1]:9/',
      'http://169.254.169.254/latest',
      'ftp://example.com/',
      'http://2130706433/',
    ];
    for (const url of [
      local,
      local.replace('127.0.0.1', 'localhost'),
      local.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      ...elsewhere,
    ]) {
      const refused = openProviders({ outbound, clock: systemClock })
        .open({
          connectionId: 'c',
          provider: 'github',
          apiUrl: url,
          credential: { kind: 'token', token: 'x', username: null },
        })
        .webhooks.create({ repository: 'a/b', url: 'http://x', secret: 'y' });
      await expect(refused).rejects.toBeInstanceOf(ProviderRefusal);
    }
    await expect(outbound.send({ method: 'POST', url: local, headers: {}, body: '{}' })).rejects.toThrow(
      'OUTBOUND_ALLOW',
    );
    expect(receiver.received).toEqual([]);
    const open = openOutbound({ allow: loopbackNetworks });
    receiver.answer = () => 302;
    expect((await open.send({ method: 'POST', url: local, headers: {}, body: '{}' })).status).toBe(302);
    expect(receiver.received).toHaveLength(1);
    await Promise.all([outbound.close(), open.close(), receiver.close()]);
  });
});
