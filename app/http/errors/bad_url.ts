import { answerProblem } from '#http/problem_answer'
import type { IncomingMessage, ServerResponse } from 'node:http'

const BROKEN_PATH = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'The path is not correctly percent-encoded',
}

/** Answers a path with malformed percent-encoding, which reaches no route, with the error envelope. */
export async function answerBadUrl(request: IncomingMessage, response: ServerResponse) {
  // Imported late: the configuration, which names this function, is read before the server is.
  const { default: server } = await import('@adonisjs/core/services/server')
  request.url = '/'
  const address = server.createRequest(request, response).ip()
  await answerProblem(request, response, BROKEN_PATH, address)
}
