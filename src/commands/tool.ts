import { Command, Option } from 'commander';
import type { KeyPairFiles } from '../agent/signing/key-set.js';
import { WrongUsage } from './wrong-usage.js';

interface KeygenOptions {
  alg: KeyPairFiles['algorithm'];
  keyId?: string;
  privateJwksFile?: string;
  publicJwksFile?: string;
}

/** `slipway tool`: helpers for signed steps. */
export function toolCommand(): Command {
  const keygen = new Command('keygen')
    .description('Make a key pair for signed steps: two files, one for agents that sign, one for agents that verify.')
    .addOption(new Option('--alg <algorithm>', 'algorithm').choices(['EdDSA', 'ES512', 'PS512']).default('EdDSA'))
    .option('--key-id <id>', 'id of the keys (a random one)')
    .option('--private-jwks-file <path>', 'file for the signing half (ALG-ID-private.json)')
    .option('--public-jwks-file <path>', 'file for the verifying half (ALG-ID-public.json)')
    .action(makeKeys);
  return new Command('tool').description('Helpers for signed steps.').addCommand(keygen);
}

async function makeKeys(options: KeygenOptions): Promise<void> {
  const { KeySetError, writeKeyPair } = await import('../agent/signing/key-set.js');
  try {
    const { keyId, privatePath, publicPath } = await writeKeyPair({
      algorithm: options.alg,
      keyId: options.keyId,
      privatePath: options.privateJwksFile,
      publicPath: options.publicJwksFile,
    });
    process.stdout.write(
      `key ${keyId}\nsigning    ${privatePath} (slipway agent start ` +
        `--signing-jwks-file)\nverifying  ${publicPath} (slipway agent start --verification-jwks-file)\n`,
    );
  } catch (error) {
    if (error instanceof KeySetError) throw new WrongUsage(error.message);
    throw error;
  }
}
