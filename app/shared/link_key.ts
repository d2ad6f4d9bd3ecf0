import platform from '#config/platform'
import type { Secret } from '@adonisjs/core/helpers'
import { createHmac, timingSafeEqual } from 'node:crypto'

const macUnder = (key: Secret<string>, text: string) =>
  createHmac('sha256', key.release()).update(text).digest()

/** HMAC-SHA256 under LINK_KEY. What is handed out carries it, so that we recognise it when it comes back. */
export const linkMac = (text: string): Buffer => macUnder(platform.linkKey, text)

/**
 * Whether the code is the first bytes of the text's HMAC under LINK_KEY or one of LINK_PREVIOUS_KEYS. So a link that was handed out
 * before the key was changed opens for as long as its key is among the former ones.
 */
export const isLinkMac = (text: string, code: Buffer, bytes = code.length): boolean =>
  [platform.linkKey, ...platform.formerLinkKeys].some((key) => {
    const expected = macUnder(key, text).subarray(0, bytes)
    return expected.length === code.length && timingSafeEqual(expected, code)
  })
