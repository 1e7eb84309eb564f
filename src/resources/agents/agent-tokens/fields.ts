import { addressList } from '../../../auth/address-list.js';
import { limits } from '../../../domain/limits/limits.js';
import { filledText } from '../../../domain/input-text.js';
import { timeField } from '../../../domain/time-field.js';

/** Fields of an agent token in create and update. */
export const agentTokenFields = {
  description: filledText(limits.descriptionLength),
  allowedIpAddresses: addressList.nullish(),
};
export const agentTokenExpiry = timeField.nullish();
