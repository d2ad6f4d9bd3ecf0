import platform from '#config/platform'
import { createHmac } from 'node:crypto'

/** HMAC-SHA256 under the deployment's key; the purpose keeps codes of different kinds apart. */
export const keyedHash = (purpose: string, text: string) =>
  createHmac('sha256', platform.linkKey.release()).update(`${purpose}|${text}`).digest('hex')
