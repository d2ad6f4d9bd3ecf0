import { isLinkMac, linkMac } from '#shared/link_key'

const keyedText = (purpose: string, text: string) => `${purpose}|${text}`

/** HMAC-SHA256 under the deployment's key; the purpose keeps codes of different kinds apart. */
export const keyedHash = (purpose: string, text: string) =>
  linkMac(keyedText(purpose, text)).toString('hex')

/** Whether the hexadecimal code is the hash, or its beginning, under the present key or a former one. */
export const isKeyedHash = (purpose: string, text: string, hex: string) =>
  /^([0-9a-f]{2})+$/.test(hex) && isLinkMac(keyedText(purpose, text), Buffer.from(hex, 'hex'))
