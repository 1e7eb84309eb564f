import { Router } from 'express';
import type { Services } from '../../services/services.js';
import { decide, showConsent } from './authorize.js';
import { answerDevice, showCodeForm } from './device.js';
import { register } from './register.js';
import { giveDeviceCode, giveToken } from './token.js';

/**
 * `/oauth`: the authorization server of the product. Programs get API tokens of people who let them in, by a browser on
 * the same machine or by a code that is typed at another.
 */
export function oauthRouter(services: Services): Router {
  const router = Router();
  router.get('/authorize', showConsent(services));
  router.post('/authorize', decide(services));
  router.post('/token', giveToken(services));
  router.post('/register', register(services));
  router.post('/device_authorization', giveDeviceCode(services));
  router.get('/device', showCodeForm(services));
  router.post('/device', answerDevice(services));
  return router;
}
