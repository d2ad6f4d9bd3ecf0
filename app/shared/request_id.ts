import { randomUUID } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The client's own UUID, else a fresh one (completions, Order of checks). */
export const requestIdFor = (sent: string | string[] | undefined) =>
  typeof sent === 'string' && UUID.test(sent) ? sent : randomUUID()
