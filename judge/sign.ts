import { createHmac } from 'node:crypto'
import type { Partner, ToSign } from './types.ts'

/** Written from the text of the contract, without the product's code: `<timestamp>\n<METHOD>\n<uri>\n<body>` under HMAC-SHA256. */
export function sign(partner: Partner, { method, uri, body = '', timestamp }: ToSign) {
  const at = timestamp ?? String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', partner.secret)
    .update(`${at}\n${method}\n${uri}\n`)
    .update(method === 'GET' ? '' : body)
    .digest('hex')
  return { 'X-Api-Key': partner.apiKey, 'X-Timestamp': at, 'X-Signature': signature }
}
