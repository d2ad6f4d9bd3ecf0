import { readFileSync } from 'node:fs'
import { query } from '../query.ts'
import type { Buyer } from './buyers.ts'

export interface Parties {
  buyer: Buyer
  holder: Buyer
}

/** Of the sandbox: buyers share the first half of the arena's seats, those who only hold have the rest. */
export async function readParties(databaseUrl: string, sandboxFile: string): Promise<Parties> {
  const { partners, events } = JSON.parse(readFileSync(sandboxFile, 'utf8'))
  const eventId = events.find(({ purpose }: any) => purpose === 'arena').event_id
  const rows = await query<{ space_id: string }>(
    databaseUrl,
    'SELECT space_id FROM event_seats WHERE event_id = $1 AND price_tenge IS NOT NULL ORDER BY id',
    [eventId]
  )
  const seats = rows.map(({ space_id: seat }) => seat)
  const half = seats.length / 2
  const party = (code: string, own: string[]): Buyer => {
    const { api_key: apiKey, secret } = partners.find((each: any) => each.code === code)
    return { partner: code, apiKey, secret, eventId, seats: own }
  }
  return { buyer: party('bulk', seats.slice(0, half)), holder: party('brisk', seats.slice(half)) }
}
