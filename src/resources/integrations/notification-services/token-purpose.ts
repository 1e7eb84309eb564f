/** Purpose that binds the sealed token of a service to this use. */
export const tokenPurpose = 'notification-service';
