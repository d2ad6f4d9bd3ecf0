import { isId } from '#shared/public_id'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { JsonWebKey } from 'node:crypto'

interface KeyRow {
  event_id: string
  public_jwk: JsonWebKey
}

const selectByEvent = statement<KeyRow, { eventId: string }>(
  'event_keys',
  'SELECT event_id, public_jwk FROM event_keys WHERE event_id = :eventId'
)
const selectByKid = statement<KeyRow, { kid: string }>(
  'event_key_by_kid',
  'SELECT event_id, public_jwk FROM event_keys WHERE kid = :kid'
)

/** The public keys of an event; refuses EVENT_NOT_FOUND. */
export async function listEventKeys(eventId: string): Promise<JsonWebKey[]> {
  const keys = isId('evt', eventId) ? await selectByEvent({ eventId }) : []
  if (keys.length === 0) refuse('EVENT_NOT_FOUND')
  return keys.map((key) => key.public_jwk)
}

export const findKeyById = (kid: string) => selectByKid.first({ kid })
