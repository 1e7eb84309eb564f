/** Minutes after which a job that no agent took expires, unless its organization says otherwise: thirty days. */
export const jobExpiryMinutes = 43_200;
