/** Purpose that binds the sealed target of a delivery to this use. */
export const targetPurpose = 'notification-target';
