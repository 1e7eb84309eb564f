import { unsealOwn } from '../auth/sealed.js';
import type { JsonObject } from '../domain/pipelines/steps/step.js';
import type { NotificationServiceRow } from '../entities/database.js';
import type { Services } from '../services/services.js';

/** Purpose that binds the sealed settings of a service to this use. */
export const settingsPurpose = 'notification-settings';

/** All settings of a service of a provider other than webhook, secrets included. */
export function openedSettings(
  { secretKey }: Pick<Services, 'secretKey'>,
  service: Pick<NotificationServiceRow, 'settings' | 'sealedSettings'> | null,
): JsonObject {
  if (!service) throw new Error('the delivery has no notification service');
  const { settings, sealedSettings } = service;
  if (sealedSettings === null) return settings;
  return { ...settings, ...(JSON.parse(unsealOwn(secretKey, settingsPurpose, sealedSettings)) as JsonObject) };
}
