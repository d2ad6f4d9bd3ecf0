import { HttpSocket } from './generator/http_socket.ts'
import { signedRequest } from './generator/signed_request.ts'
import type { Site } from './testbed.ts'

export interface Freshness {
  checks: number
  stale: number
}

const CHANGES = [
  ['blocked', `state = 'blocked', held_by = NULL, hold_until = NULL`],
  [
    'held',
    `state = 'free', held_by = 'crt_load', hold_until = clock_timestamp() + interval '1 minute'`,
  ],
  ['free', `state = 'free', held_by = NULL, hold_until = NULL`],
] as const

/** Changes a seat, waits for the commit, then reads it: a response without the change is stale. */
export async function checkFreshness(
  { port, database, partners, seatsEvent, sector }: Site,
  seats: string[],
  isOver: () => boolean
): Promise<Freshness> {
  const socket = await HttpSocket.open(port)
  const path = `/events/${seatsEvent}/seats?sector=${sector}`
  let checks = 0
  let stale = 0
  while (!isOver()) {
    const seat = seats[checks % seats.length]
    for (const [status, change] of CHANGES) {
      await database.query(
        `UPDATE event_seats SET ${change} WHERE event_id = $1 AND space_id = $2`,
        [seatsEvent, seat]
      )
      const { body } = await socket.send(signedRequest(partners.rival, 'GET', path), true)
      const { data } = JSON.parse(body) as { data: { space_id: string; status: string }[] }
      checks++
      if (data.find(({ space_id: id }) => id === seat)?.status !== status) stale++
    }
  }
  socket.close()
  return { checks, stale }
}
