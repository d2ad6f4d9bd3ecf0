import type { BackgroundWorker } from '#worker/background_worker'
import { startAnswer } from '#http/answer_policy'
import { mayMeasure } from '#telemetry/access'
import { measure } from '#telemetry/services'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'

/** Serves a worker's health and metrics to supervisors and Prometheus. */
export async function serveStatus(worker: BackgroundWorker, host: string, port: number) {
  const server = createServer((request, response) => {
    startAnswer(request, response)
    answer(worker, request, response).catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

export function closeStatus(server: Server | undefined) {
  server?.close()
  server?.closeAllConnections()
}

async function answer(
  worker: BackgroundWorker,
  ...[request, response]: Parameters<RequestListener>
) {
  const json = (status: number, body: object) => {
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  }
  if (request.url === '/health/live') return json(200, { status: 'live' })
  if (request.url === '/health/ready') {
    const { isReady } = worker
    return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'unavailable' })
  }
  if (request.url !== '/metrics' || !mayMeasure(request)) return json(404, { status: 'not found' })
  const { type, text } = await measure()
  response.writeHead(200, { 'Content-Type': type })
  return response.end(text)
}
