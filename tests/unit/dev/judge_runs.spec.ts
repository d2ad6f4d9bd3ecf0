import { test } from '@japa/runner'
import { judgeAnswers, judgeTime } from '../../../dev/judge_runs.ts'

const line = (status: number, more: object = {}) =>
  JSON.stringify({ msg: 'request', method: 'GET', route: '/docs', status, ...more })

test.group('A run of the judges', () => {
  test('may take six minutes and no longer', ({ assert }) => {
    assert.deepEqual(judgeTime(359.9).verdict, { checks: 1, failures: [] })
    const { verdict, seconds } = judgeTime(360.5)
    assert.equal(seconds, 360.5)
    assert.deepEqual(verdict.failures, [
      { sentence: 'All judges together take at most 360 s', detail: '360.5 s' },
    ])
  })

  test('fails for each route that answered 5xx, with the number of such answers', ({ assert }) => {
    const log = [
      'no JSON',
      line(200),
      line(499, { aborted: true }),
      line(503),
      line(503, { aborted: true }),
      line(500, { method: 'POST', route: undefined }),
      JSON.stringify({ msg: 'other', status: 500 }),
    ].join('\n')

    const { verdict } = judgeAnswers(log)

    assert.deepEqual(verdict.failures, [
      { sentence: 'GET /docs never answers 503', detail: '2 of 5 requests of the run' },
      { sentence: 'POST none never answers 500', detail: '1 of 5 requests of the run' },
    ])
  })

  test('passes when every answer is below 500', ({ assert }) => {
    const unfinished = line(200).slice(0, 20)
    assert.deepEqual(judgeAnswers(`${line(200)}\n${unfinished}`).verdict, {
      checks: 1,
      failures: [],
    })
  })

  test('fails when the log has no request, because nothing would then be found', ({ assert }) => {
    assert.lengthOf(judgeAnswers('').verdict.failures, 1)
  })
})
