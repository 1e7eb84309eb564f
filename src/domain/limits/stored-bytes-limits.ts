const MiB = 1024 * 1024;
const GiB = 1024 * MiB;

/** Bounds, in stored bytes, on rows that tables keep for a limited time. */
export const storedBytesLimits = {
  /**
   * Bytes of the replies and results of one token that are stored under `Idempotency-Key`s; beyond them a repeat of the
   * oldest is answered 409: choice.
   */
  idempotencyKeptBytes: 256 * MiB,
  /**
   * Bytes of the payloads of an organization's deliveries that are stored after they are processed; beyond them the
   * oldest go first: choice.
   */
  webhookPayloadsKeptBytes: GiB,
  /**
   * Bytes of the payloads of an organization's notifications; beyond them the oldest without pending deliveries go
   * first: choice.
   */
  notificationsKeptBytes: GiB,
  /**
   * Bytes of the texts of an organization's pipeline uploads that are kept; beyond them the oldest go first: choice.
   */
  uploadsKeptBytes: GiB,
} as const;
