import { PROBLEMS } from '#http/problem_answer'
import { descriptionText } from '#tests/support/described'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readFileSync } from 'node:fs'

const ROW = /^ *\| *(\d{3}) *\| *`([A-Z_]+)` *\|/gm
const ANSWERED = Object.entries(PROBLEMS).map(([code, { status }]) => `${status} ${code}`)

/** `408 REQUEST_TIMEOUT`: status and code of each row of a table. */
const rowsOf = (text: string) =>
  [...text.matchAll(ROW)].map(([, status, code]) => `${status} ${code}`)

test.group('Answers to requests that reach no operation', () => {
  test('exactly these are in their chapter of the OpenAPI description', ({ assert }) => {
    const [, chapter] = /^ {4}## Requests that reach no operation$(.*?)^ {4}## /ms.exec(
      descriptionText
    )!
    assert.sameMembers(rowsOf(chapter), ANSWERED)
  })

  test('all of them are in the error table of the guide', ({ assert }) => {
    assert.includeMembers(rowsOf(readFileSync(app.makePath('docs/api/guide.md'), 'utf8')), ANSWERED)
  })
})
