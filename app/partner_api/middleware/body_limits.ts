export const BODY_LIMIT_BYTES = 64 * 1024
/** A larger body is read up to this size, so that its signature is checked before its size. */
export const READ_LIMIT_BYTES = 4 * BODY_LIMIT_BYTES
