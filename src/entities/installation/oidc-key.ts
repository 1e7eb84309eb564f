import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { at, json } from '../columns.js';

/** A key pair that signs the identity tokens of jobs; its public half is published. */
export const OidcKeySchema = defineEntity({
  name: 'OidcKey',
  tableName: 'oidc_keys',
  uniques: [{ properties: ['sequence'] }],
  properties: {
    /** `kid`: the thumbprint of the public key. */
    id: p.text().primary(),
    /** Counts the keys, so that of two replicas that make the next one only one does. */
    sequence: p.integer(),
    publicJwk: json<JsonObject>(),
    /** PKCS #8, sealed with the secret key. */
    sealedPrivateKey: p.text(),
    createdAt: at(),
  },
});
