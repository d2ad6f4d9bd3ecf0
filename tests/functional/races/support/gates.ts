import CreateGateDevice from '#tickets/actions/create_gate_device'
import { TESTER } from '#tests/support/fixtures'
import { readAnswer, testBaseUrl, type Answer } from '#tests/support/partner_client'
import { randomUUID } from 'node:crypto'

export interface Gate {
  name: string
  key: string
  scan(eventId: string, token: string): Promise<Answer>
  /** Anything at all as the body. */
  send(body: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** A scanner with a key of its own. */
export async function aGate(): Promise<Gate> {
  const name = `Gate ${randomUUID()}`
  const { key } = await new CreateGateDevice().handle({ name, actor: TESTER })
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    postScan(body, { 'X-Gate-Key': key, ...headers })
  return { name, key, send, scan: (eventId, token) => send({ event_id: eventId, qr_token: token }) }
}

export async function postScan(body: unknown, headers: Record<string, string>) {
  const response = await fetch(`${testBaseUrl()}/api/v1/gate/scans`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return readAnswer(response)
}
