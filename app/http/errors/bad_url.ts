import { answerProblem, type Problem } from '#http/problem_answer'
import type { IncomingMessage, ServerResponse } from 'node:http'

const BROKEN_PATH: Problem = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'The path is not correctly percent-encoded',
}

/** Answers a path with malformed percent-encoding, which reaches no route, with the error envelope. */
export const answerBadUrl = (request: IncomingMessage, response: ServerResponse) =>
  answerProblem(request, response, BROKEN_PATH)
