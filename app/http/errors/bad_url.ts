import { answerProblem } from '#http/problem_answer'
import type { IncomingMessage, ServerResponse } from 'node:http'

const BROKEN_PATH = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'The path is not correctly percent-encoded',
}

/** A path with broken percent-encoding never reaches a door; it is answered in the envelope all the same. */
export async function answerBadUrl(request: IncomingMessage, response: ServerResponse) {
  // Imported late: the configuration, which names this function, is read before the server is.
  const { default: server } = await import('@adonisjs/core/services/server')
  request.url = '/'
  const address = server.createRequest(request, response).ip()
  await answerProblem(request, response, BROKEN_PATH, address)
}
