import { startAnswer } from '#http/answer_policy'
import { readNotes } from '#http/health/health_notes'
import { readDatabaseFitness } from '#shared/database_fitness'
import { mayMeasure } from '#telemetry/access'
import { measure } from '#telemetry/services'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'

/** Serves a worker's health and metrics to supervisors and Prometheus. Throws when it can't listen. */
export async function serveStatus(isReady: () => boolean, host: string, port: number) {
  const server = createServer((request, response) => {
    startAnswer(request, response)
    answer(isReady, request, response).catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

export function closeStatus(server: Server | undefined) {
  server?.close()
  server?.closeAllConnections()
}

const UNKNOWN = { problems: [], warnings: [] }
const listed = (names: string[]) => (names.length > 0 ? names : undefined)

async function answer(isReady: () => boolean, ...[request, response]: Parameters<RequestListener>) {
  const json = (status: number, body: object) => {
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  }
  if (request.url === '/health/live') return json(200, { status: 'live' })
  if (request.url === '/health/ready') {
    // Without PostgreSQL a worker waits; a database that isn't fit won't become so by waiting.
    const { problems, warnings } = await readDatabaseFitness().catch(() => UNKNOWN)
    const named = { warnings: listed(warnings), ...(await readNotes()) }
    if (isReady() && problems.length === 0) return json(200, { status: 'ready', ...named })
    return json(503, { status: 'unavailable', problems: listed(problems), ...named })
  }
  if (request.url !== '/metrics' || !mayMeasure(request)) return json(404, { status: 'not found' })
  const { type, text } = await measure()
  response.writeHead(200, { 'Content-Type': type })
  return response.end(text)
}
